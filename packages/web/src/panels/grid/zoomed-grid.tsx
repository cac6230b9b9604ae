import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import type { WaveformPeaks } from '@stem-studio/dsp/signal/peaks';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { openGridCanvas } from '../../canvas/grid-canvas.ts';
import { Button } from '../../ui/button.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import type { GridEditor } from './grid-editor.ts';
import styles from './grid-panel.module.css';
import { useGridDrag } from './use-grid-drag.ts';
import { type GridZoom, useGridZoom } from './use-grid-zoom.ts';

/** The waveform around the playhead under the grid: dragging the strip moves the grid, dragging the waveform the song. */
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
  const field = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const zoom = useGridZoom(field);
  const { spanSeconds } = zoom;
  const secondsPerPixel = () => spanSeconds / Math.max(1, canvas.current?.clientWidth ?? 1);
  const drag = useGridDrag(editor, player, grid.grid_locked, secondsPerPixel);
  // The canvas reads the newest values in each frame, without being opened again.
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
          positionSeconds: now.player?.positionSeconds() ?? 0,
          spanSeconds: now.spanSeconds,
          previewMs: editor.state.getState().previewMs,
          durationSeconds: now.durationSeconds,
        };
      });
    },
    [editor],
  );
  return (
    <div ref={field} className={styles['zoomed']} data-locked={grid.grid_locked}>
      <canvas ref={canvas} aria-hidden="true" />
      <GridStrip grid={grid} editor={editor} durationSeconds={durationSeconds} handlers={drag.grid} />
      <div className={styles['song']} title="Drag to seek" {...drag.song} />
      <ZoomButtons zoom={zoom} />
    </div>
  );
}

/** The strip with the bar numbers: a slider that moves the grid by pointer or arrow keys. */
function GridStrip({
  grid,
  editor,
  durationSeconds,
  handlers,
}: {
  grid: BeatGrid;
  editor: GridEditor;
  durationSeconds: number;
  handlers: ReturnType<typeof useGridDrag>['grid'];
}) {
  const previewMs = useStore(editor.state, (state) => state.previewMs);
  const firstMs = Math.round((grid.downbeats[0] ?? 0) * 1000 + previewMs);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    // Otherwise the player would seek.
    event.preventDefault();
    if (grid.grid_locked) return;
    editor.nudge((event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1));
  };
  return (
    <div
      className={styles['strip']}
      role="slider"
      tabIndex={0}
      aria-label="Grid position"
      aria-orientation="horizontal"
      aria-disabled={grid.grid_locked || grid.beats.length === 0}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationSeconds * 1000)}
      aria-valuenow={firstMs}
      aria-valuetext={`Bar 1 at ${(firstMs / 1000).toFixed(3)} seconds`}
      title={grid.grid_locked ? 'Grid locked' : 'Drag to move the grid (← → 1 ms, Shift 10 ms)'}
      onKeyDown={onKeyDown}
      {...handlers}
    />
  );
}

function ZoomButtons({ zoom }: { zoom: GridZoom }) {
  return (
    <span className={styles['zoom']}>
      <Button
        small
        aria-label="Zoom out"
        title="Zoom out (Ctrl + wheel)"
        disabled={!zoom.canZoomOut}
        onClick={zoom.zoomOut}
      >
        −
      </Button>
      <Button
        small
        aria-label="Zoom in"
        title="Zoom in (Ctrl + wheel)"
        disabled={!zoom.canZoomIn}
        onClick={zoom.zoomIn}
      >
        +
      </Button>
    </span>
  );
}
