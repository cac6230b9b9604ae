import type { LaneNote } from '@stem-studio/contract/resources/lane-note';
import { type PointerEvent, useRef } from 'react';
import { useScope } from '../../../ui/use-scope.ts';
import styles from './piano-roll.module.css';
import { openVelocityCanvas, type RollSource, velocityPx } from './roll-canvas.ts';
import { velocityEdits } from './roll-edits.ts';
import type { RollModel } from './roll-model.ts';

/** Distance from the bar of a note at which a press takes it. */
const REACH_PX = 8;

/** Returns the note whose bar is nearest to a position, a selected one first; null if none is near. */
function barAt(model: RollModel, ms: number, reachMs: number): LaneNote | null {
  const { selected } = model.shown.getState();
  const away = ({ start_ms }: LaneNote) => Math.abs(start_ms - ms);
  const [nearest] = model.notes
    .filter((note) => away(note) <= reachMs)
    .toSorted(
      (one, other) =>
        Number(selected.has(other.id)) - Number(selected.has(one.id)) || away(one) - away(other),
    );
  return nearest ?? null;
}

/** Velocity of each note; a drag of a bar changes it, and the selected notes with it. */
export function VelocityLane({ source, isReadOnly }: { source: RollSource; isReadOnly: boolean }) {
  const { model } = source;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ y: number; notes: readonly LaneNote[] } | null>(null);
  useScope(
    (scope) => {
      if (canvas.current) openVelocityCanvas(scope, canvas.current, source);
    },
    [source],
  );
  const editsAt = (event: PointerEvent<HTMLElement>) => {
    const { current } = drag;
    if (!current) return [];
    const unitPx = velocityPx(1, event.currentTarget.clientHeight);
    const change = (current.y - event.clientY) / unitPx;
    return velocityEdits(model.lane, current.notes, (velocity) => velocity + change);
  };
  const end = () => {
    drag.current = null;
    model.editor.setDrag(null);
    model.editor.preview(null);
  };
  return (
    <div
      className={styles['velocities']}
      title="Velocity: drag a bar"
      data-roll-velocity
      onPointerDown={(event) => {
        if (event.button !== 0 || isReadOnly) return;
        const box = event.currentTarget.getBoundingClientRect();
        const { fromSeconds, spanSeconds } = model.editor.view.window;
        const msPerPx = (spanSeconds * 1000) / Math.max(1, box.width);
        const ms = fromSeconds * 1000 + (event.clientX - box.left) * msPerPx;
        const note = barAt(model, ms, REACH_PX * msPerPx);
        if (!note) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        if (!model.shown.getState().selected.has(note.id)) model.select([note.id]);
        drag.current = { y: event.clientY, notes: model.selectedNotes };
        model.editor.setDrag(end);
      }}
      onPointerMove={(event) => {
        if (drag.current) model.preview(editsAt(event));
      }}
      onPointerUp={(event) => {
        if (!drag.current) return;
        const edits = editsAt(event);
        end();
        model.edit(edits);
      }}
      onPointerCancel={end}
    >
      <canvas ref={canvas} aria-hidden="true" />
    </div>
  );
}
