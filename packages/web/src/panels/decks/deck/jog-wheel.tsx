import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { type PointerEvent, type Ref, useRef } from 'react';
import { useScope } from '../../../ui/use-scope.ts';
import { useDjEngine } from '../dj-context.ts';
import { REVOLUTION_SECONDS } from './deck-readouts.ts';
import { type JogBend, startJogBend } from './jog-bend.ts';
import styles from './platter.module.css';
import { type ScratchDrag, startScratch } from './scratch.ts';

/** Part of the radius at which the rim starts, which bends the tempo; inside of it the platter scratches. */
const RIM = 0.8;

/** A pointer on the wheel, which scratches or bends. */
type WheelDrag = { pointer: number; angle: number; turnedDegrees: number } & (
  | { scratch: ScratchDrag; bend: null }
  | { scratch: null; bend: JogBend }
);

/**
 * Jog wheel: turning the platter scratches, turning its rim bends the tempo.
 */
export function JogWheel({ deck, disc }: { deck: DeckId; disc: Ref<HTMLSpanElement> }) {
  const engine = useDjEngine();
  const wheel = useRef<HTMLDivElement>(null);
  const drag = useRef<WheelDrag | null>(null);
  const scopeRef = useRef<Parameters<Parameters<typeof useScope>[0]>[0] | null>(null);
  useScope(
    (scope) => {
      scopeRef.current = scope;
    },
    [engine, deck],
  );
  const angleOf = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left - box.width / 2;
    const y = event.clientY - box.top - box.height / 2;
    return { angle: (Math.atan2(y, x) * 180) / Math.PI, radiusRatio: Math.hypot(x, y) / (box.width / 2) };
  };
  const release = (event: PointerEvent) => {
    const from = drag.current;
    if (from?.pointer !== event.pointerId) return;
    drag.current = null;
    (from.scratch ?? from.bend).end();
  };
  return (
    <div
      ref={wheel}
      className={styles['jog']}
      role="img"
      aria-label={`Jog wheel of deck ${deck.toUpperCase()}; D and F nudge, arrow keys jump`}
      title="Drag to scratch; drag the rim to nudge"
      onPointerDown={(event) => {
        if (event.button !== 0 || drag.current || !scopeRef.current) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const { angle, radiusRatio } = angleOf(event);
        const start = { pointer: event.pointerId, angle, turnedDegrees: 0 };
        drag.current =
          radiusRatio > RIM
            ? { ...start, scratch: null, bend: startJogBend(scopeRef.current, engine, deck) }
            : { ...start, scratch: startScratch(scopeRef.current, engine, deck), bend: null };
      }}
      onPointerMove={(event) => {
        const from = drag.current;
        if (from?.pointer !== event.pointerId) return;
        const { angle } = angleOf(event);
        const step = ((angle - from.angle + 540) % 360) - 180;
        from.angle = angle;
        from.turnedDegrees += step;
        if (from.scratch) from.scratch.move((from.turnedDegrees / 360) * REVOLUTION_SECONDS);
        else from.bend.rotate(step);
      }}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <span ref={disc} className={styles['disc']} />
      <span className={styles['hub']}>{deck.toUpperCase()}</span>
    </div>
  );
}
