import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { openGridCanvas } from '../../canvas/grid-canvas.ts';
import { Button } from '../../ui/button.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import type { GridEditor } from './grid-editor.ts';
import styles from './grid-panel.module.css';

/** Seconds that the width can stand for. */
const SPANS = [1, 2, 4, 8, 16, 32] as const;
const WIDE_SPAN = 3;
const NARROW_SPAN = 2;

/** The waveform around the playhead with the grid over it: the grid is dragged by its strip, the song by the waveform. */
export function ZoomedGrid({
  grid,
  editor,
  player,
  peaks,
  durationSeconds,
}: {
  grid: BeatGrid;
  editor: GridEditor;
  player: SongPlayer | null;
  peaks: WaveformPeaks | null;
  durationSeconds: number;
}) {
  const isNarrow = useIsNarrow();
  const [zoom, setZoom] = useState<number>(isNarrow ? NARROW_SPAN : WIDE_SPAN);
  const spanSeconds = SPANS[zoom] ?? 8;
  const canvas = useRef<HTMLCanvasElement>(null);
  const previewMs = useStore(editor.state, (state) => state.previewMs);
  const shown = useRef({ grid, peaks, spanSeconds, durationSeconds, player });
  useEffect(() => {
    shown.current = { grid, peaks, spanSeconds, durationSeconds, player };
  }, [grid, peaks, spanSeconds, durationSeconds, player]);
  useScope(
    (scope) => {
      if (!canvas.current) return;
      openGridCanvas(scope, canvas.current, () => {
        const now = shown.current;
        return {
          beats: now.grid.beats,
          downbeats: now.grid.downbeats,
          peaks: now.peaks,
          placeSeconds: now.player?.positionSeconds() ?? 0,
          spanSeconds: now.spanSeconds,
          previewMs: editor.state.getState().previewMs,
          durationSeconds: now.durationSeconds,
        };
      });
    },
    [editor],
  );

  const secondsPerPixel = () => spanSeconds / Math.max(1, canvas.current?.clientWidth ?? 1);
  const drag = useRef<{ x: number; placeSeconds: number; ms: number } | null>(null);
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, placeSeconds: player?.positionSeconds() ?? 0, ms: 0 };
  };
  const dragGrid = (event: PointerEvent) => {
    const from = drag.current;
    if (!from || grid.grid_locked) return;
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
    player.seek(from.placeSeconds - (event.clientX - from.x) * secondsPerPixel());
  };
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    setZoom(clampZoom(zoom + Math.sign(event.deltaY)));
  });
  const field = useRef<HTMLDivElement>(null);
  useScope((scope) => {
    // React listens to wheels without a say in what the browser does with them.
    if (field.current)
      scope.listen(field.current, 'wheel', (event) => onWheel(event as WheelEvent), { passive: false });
  }, []);

  const firstMs = Math.round((grid.downbeats[0] ?? 0) * 1000 + previewMs);
  return (
    <div ref={field} className={styles['zoomed']} data-locked={grid.grid_locked}>
      <canvas ref={canvas} aria-hidden="true" />
      <div
        className={styles['strip']}
        role="slider"
        tabIndex={0}
        aria-label="Place of the grid"
        aria-orientation="horizontal"
        aria-disabled={grid.grid_locked || grid.beats.length === 0}
        aria-valuemin={0}
        aria-valuemax={Math.round(durationSeconds * 1000)}
        aria-valuenow={firstMs}
        aria-valuetext={`Bar 1 at ${(firstMs / 1000).toFixed(3)} seconds`}
        title={
          grid.grid_locked ? 'The grid is locked' : 'Drag to move the grid; arrow keys 1 ms, with Shift 10 ms'
        }
        onPointerDown={begin}
        onPointerMove={dragGrid}
        onPointerUp={dropGrid}
        onPointerCancel={dropGrid}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
          // The page's own arrows would move the song.
          event.preventDefault();
          if (grid.grid_locked) return;
          editor.nudge((event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1));
        }}
      />
      <div
        className={styles['song']}
        title="Drag to move the song under the playhead"
        onPointerDown={begin}
        onPointerMove={dragSong}
        onPointerUp={() => {
          drag.current = null;
        }}
        onPointerCancel={() => {
          drag.current = null;
        }}
      />
      <span className={styles['zoom']}>
        <Button
          small
          aria-label="See more of the song"
          title="See more of the song (Ctrl + wheel)"
          disabled={zoom === SPANS.length - 1}
          onClick={() => setZoom(clampZoom(zoom + 1))}
        >
          −
        </Button>
        <Button
          small
          aria-label="See it closer"
          title="See it closer (Ctrl + wheel)"
          disabled={zoom === 0}
          onClick={() => setZoom(clampZoom(zoom - 1))}
        >
          +
        </Button>
      </span>
    </div>
  );
}

function clampZoom(zoom: number): number {
  return Math.min(SPANS.length - 1, Math.max(0, zoom));
}
