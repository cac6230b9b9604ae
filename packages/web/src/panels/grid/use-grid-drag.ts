import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type PointerEvent, useRef } from 'react';
import type { GridEditor } from './grid-editor.ts';

/** Pointer handlers of the zoomed waveform. */
export interface GridDrag {
  /** Moves the grid against the song; saved when the pointer is released. */
  readonly grid: DragHandlers;
  /** Moves the song under the playhead. */
  readonly song: DragHandlers;
}

interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
}

/**
 * Drags the grid or the song of a zoomed waveform.
 *
 * @param secondsPerPixel the current scale of the waveform
 */
export function useGridDrag(
  editor: GridEditor,
  player: SongPlayer | null,
  isLocked: boolean,
  secondsPerPixel: () => number,
): GridDrag {
  const drag = useRef<{ x: number; positionSeconds: number; ms: number } | null>(null);
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, positionSeconds: player?.positionSeconds() ?? 0, ms: 0 };
  };
  const dragGrid = (event: PointerEvent) => {
    const from = drag.current;
    if (!from || isLocked) return;
    const ms = Math.round((event.clientX - from.x) * secondsPerPixel() * 1000);
    editor.preview(ms - from.ms);
    from.ms = ms;
  };
  const dropGrid = () => {
    const from = drag.current;
    drag.current = null;
    if (!from || from.ms === 0) return;
    editor.preview(-from.ms);
    editor.nudge(from.ms);
  };
  const dragSong = (event: PointerEvent) => {
    const from = drag.current;
    if (!from || !player) return;
    player.seek(from.positionSeconds - (event.clientX - from.x) * secondsPerPixel());
  };
  const dropSong = () => {
    drag.current = null;
  };
  return {
    grid: { onPointerDown, onPointerMove: dragGrid, onPointerUp: dropGrid, onPointerCancel: dropGrid },
    song: { onPointerDown, onPointerMove: dragSong, onPointerUp: dropSong, onPointerCancel: dropSong },
  };
}
