import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import { type PointerEvent, type Ref, useRef } from 'react';
import { useScope } from '../../../ui/use-scope.ts';
import { useDjEngine } from '../dj-context.ts';
import { TURN_SECONDS } from './deck-readouts.ts';
import { type JogBend, startJogBend } from './jog-bend.ts';
import styles from './platter.module.css';
import { type ScratchDrag, startScratch } from './scratch.ts';

/** Part of the radius at which the rim starts, which bends the tempo; inside of it the platter scratches. */
const RIM = 0.8;

/** A pointer on the wheel, which scratches or bends. */
type Hand = { pointer: number; angle: number; turned: number } & (
  | { drag: ScratchDrag; push: null }
  | { drag: null; push: JogBend }
);

/**
 * Jog wheel: turning the platter scratches, turning its rim bends the tempo.
 */
export function JogWheel({ deck, disc }: { deck: DeckId; disc: Ref<HTMLSpanElement> }) {
  const engine = useDjEngine();
  const wheel = useRef<HTMLDivElement>(null);
  const hand = useRef<Hand | null>(null);
  const own = useRef<Parameters<Parameters<typeof useScope>[0]>[0] | null>(null);
  useScope(
    (scope) => {
      own.current = scope;
    },
    [engine, deck],
  );
  const angleOf = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left - box.width / 2;
    const y = event.clientY - box.top - box.height / 2;
    return { angle: (Math.atan2(y, x) * 180) / Math.PI, share: Math.hypot(x, y) / (box.width / 2) };
  };
  const letGo = (event: PointerEvent) => {
    const from = hand.current;
    if (from?.pointer !== event.pointerId) return;
    hand.current = null;
    (from.drag ?? from.push).end();
  };
  return (
    <div
      ref={wheel}
      className={styles['jog']}
      role="img"
      aria-label={`Jog wheel of deck ${deck.toUpperCase()}; D and F nudge, arrow keys jump`}
      title="Turn to scratch; turn the rim to nudge"
      onPointerDown={(event) => {
        if (event.button !== 0 || hand.current || !own.current) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const { angle, share } = angleOf(event);
        const laid = { pointer: event.pointerId, angle, turned: 0 };
        hand.current =
          share > RIM
            ? { ...laid, drag: null, push: startJogBend(own.current, engine, deck) }
            : { ...laid, drag: startScratch(own.current, engine, deck), push: null };
      }}
      onPointerMove={(event) => {
        const from = hand.current;
        if (from?.pointer !== event.pointerId) return;
        const { angle } = angleOf(event);
        const step = ((angle - from.angle + 540) % 360) - 180;
        from.angle = angle;
        from.turned += step;
        if (from.drag) from.drag.move((from.turned / 360) * TURN_SECONDS);
        else from.push.turn(step);
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
    >
      <span ref={disc} className={styles['disc']} />
      <span className={styles['hub']}>{deck.toUpperCase()}</span>
    </div>
  );
}
