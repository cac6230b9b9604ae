import { loopBetween, snapToBeat } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type PointerEvent, useRef } from 'react';
import { clockText } from '../../base/format.ts';
import { openTimelineCanvas, type TimelineContent, timelineHeightPx } from '../../canvas/timeline-canvas.ts';
import type { TimeView } from '../../state/time-view.ts';
import { useScope } from '../../ui/use-scope.ts';
import { LoopMark } from './loop-mark.tsx';
import styles from './mix-panel.module.css';

/** A shorter drag is a click. */
const DRAG_PX = 4;
/** Distance in pixels within which a click on the timeline means a cue point. */
const CUE_PX = 8;

/** Time, bars, sections, chords and cue points above the lanes. A press seeks, a drag sets the loop. */
export function LaneTimeline({
  player,
  view,
  content,
  snapped,
}: {
  player: SongPlayer;
  view: TimeView;
  content: TimelineContent;
  /** Beats that the ends of a loop snap to; empty for none. */
  snapped: readonly number[];
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const from = useRef<{ x: number; seconds: number } | null>(null);
  useScope(
    (scope) => {
      if (canvas.current) openTimelineCanvas(scope, canvas.current, content, () => view.window);
    },
    [view, content],
  );
  const secondsAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const { fromSeconds, spanSeconds } = view.window;
    const part = box.width > 0 ? Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) : 0;
    return fromSeconds + part * spanSeconds;
  };
  const cueNear = (event: PointerEvent) => {
    const seconds = secondsAt(event);
    const perPixel = view.window.spanSeconds / Math.max(1, event.currentTarget.clientWidth);
    const away = (cue: { position_ms: number }) => Math.abs(cue.position_ms / 1000 - seconds);
    const [nearest] = content.cues.toSorted((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= CUE_PX * perPixel ? nearest : null;
  };
  return (
    <div
      className={styles['ruler']}
      style={{ height: timelineHeightPx(content) }}
      title="Drag to set loop"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, seconds: secondsAt(event) };
      }}
      onPointerMove={(event) => {
        const start = from.current;
        if (!start) {
          const cue = cueNear(event);
          event.currentTarget.title = cue
            ? `${cue.label} · ${clockText(cue.position_ms / 1000)}`
            : 'Drag to set loop';
        } else if (Math.abs(event.clientX - start.x) >= DRAG_PX) {
          player.setLoop(
            loopBetween(
              snapToBeat(start.seconds, snapped),
              snapToBeat(secondsAt(event), snapped),
              view.durationSeconds,
            ),
          );
        }
      }}
      onPointerUp={(event) => {
        const start = from.current;
        from.current = null;
        if (!start || Math.abs(event.clientX - start.x) >= DRAG_PX) return;
        const cue = cueNear(event);
        player.seek(cue ? cue.position_ms / 1000 : start.seconds);
      }}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <LoopMark player={player} view={view} className={styles['handle'] ?? ''} />
    </div>
  );
}
