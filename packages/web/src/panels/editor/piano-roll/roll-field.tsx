import type { LaneNote } from '@stem-studio/contract/resources/lane-note';
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useScope } from '../../../ui/use-scope.ts';
import type { EditorPlayback } from '../editor-playback.ts';
import { wheelView } from '../wheel-view.ts';
import styles from './piano-roll.module.css';
import { openKeysCanvas, openRollCanvas, type RollSource } from './roll-canvas.ts';
import { centredPx, pitchAt, ROWS } from './roll-geometry.ts';
import { useRollDrag } from './use-roll-drag.ts';

const MIDDLE_C = 60;
const KEY_VELOCITY = 100;

/**
 * Scrolls to the middle of the notes at first and when there are some for the first time. When the rows change their
 * height, the pitch in the middle stays there.
 */
function useCentredPitch(
  scroller: RefObject<HTMLDivElement | null>,
  rowPx: number,
  notes: readonly LaneNote[],
): void {
  const before = useRef<number | null>(null);
  const isEmpty = notes.length === 0;
  const centre = useEffectEvent((pitch: number) => {
    const box = scroller.current;
    box?.scrollTo({ top: centredPx(pitch, pitch, rowPx, box.clientHeight) });
  });
  const centreNotes = useEffectEvent(() => {
    const pitches = notes.map(({ pitch }) => pitch).toSorted((one, other) => one - other);
    centre(pitches[pitches.length >> 1] ?? MIDDLE_C);
  });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && before.current !== null)
      centre(pitchAt({ rowPx: before.current, scrollPx: box.scrollTop }, box.clientHeight / 2));
    before.current = rowPx;
  }, [scroller, rowPx]);
  useScope(() => centreNotes(), [isEmpty]);
}

/** Keyboard and notes, with the playhead and the cursor of the editor. */
export function RollField({
  scroller,
  source,
  rowPx,
  notes,
  playback,
  name,
  statusId,
  isReadOnly,
}: {
  scroller: RefObject<HTMLDivElement | null>;
  source: RollSource;
  rowPx: number;
  notes: readonly LaneNote[];
  playback: EditorPlayback;
  name: string;
  statusId: string;
  isReadOnly: boolean;
}) {
  const { model } = source;
  const keys = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const drag = useRollDrag(model, source.geometry, isReadOnly);
  useScope(() => field.current?.focus({ preventScroll: true }), [model]);
  useCentredPitch(scroller, rowPx, notes);
  useScope(
    (scope) => {
      if (keys.current) openKeysCanvas(scope, keys.current, source);
      if (canvas.current) openRollCanvas(scope, canvas.current, source);
    },
    [source],
  );
  useScope(
    (scope) => {
      const { current } = field;
      if (!current) return;
      // React's own wheel listeners are passive and cannot prevent the browser's zoom.
      scope.listen(current, 'wheel', (event) => wheelView(event as WheelEvent, current, model.editor.view), {
        passive: false,
      });
      const shown = new Map<HTMLElement, number>();
      const show = (line: HTMLElement | null, ms: number) => {
        const { fromSeconds, spanSeconds } = model.editor.view.window;
        const part = spanSeconds > 0 ? (ms / 1000 - fromSeconds) / spanSeconds : 0;
        const left = Math.round(part * current.clientWidth);
        if (!line || shown.get(line) === left) return;
        shown.set(line, left);
        line.style.transform = `translateX(${left}px)`;
      };
      scope.onAnimationFrame(() => {
        show(cursor.current, model.editor.selection.cursorMs);
        show(playhead.current, playback.positionMs());
      });
    },
    [model, playback],
  );
  return (
    <div ref={scroller} className={styles['pitches']}>
      <div className={styles['space']} style={{ height: ROWS * rowPx }}>
        <div className={styles['view']}>
          <canvas
            ref={keys}
            className={styles['keys']}
            aria-hidden="true"
            onPointerDown={(event) => {
              const { top } = event.currentTarget.getBoundingClientRect();
              const pitch = pitchAt(source.geometry(), event.clientY - top);
              model.audition({ pitch, velocity: KEY_VELOCITY });
            }}
          />
          <div
            ref={field}
            className={styles['field']}
            data-roll-field
            role="group"
            aria-label={`Piano roll of ${name}`}
            aria-describedby={statusId}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its keys edit the notes
            tabIndex={0}
            {...drag}
          >
            <canvas ref={canvas} aria-hidden="true" />
            <div ref={cursor} className={styles['cursor']} />
            <div ref={playhead} className={styles['playhead']} />
          </div>
        </div>
      </div>
    </div>
  );
}
