import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DjEngine } from '../../../state/decks/dj-engine.ts';

/** Speed of the rim at which the bend is full. */
const FULL_DEGREES_A_SECOND = 480;
/** Smoothing time of the bend, which bridges frames without pointer events. */
const FOLLOW_SECONDS = 0.08;
/** Smallest bend. */
const LEAST = 0.01;

/**
 * Bend of a jog wheel's rim after an animation frame, −1 to 1.
 *
 * @param bend bend before the frame
 * @param degrees rotation of the rim since the last frame
 * @param seconds duration of the frame
 */
export function bendAfter(bend: number, degrees: number, seconds: number): number {
  if (seconds <= 0) return bend;
  const wanted = Math.min(1, Math.max(-1, degrees / seconds / FULL_DEGREES_A_SECOND));
  const next = bend + (wanted - bend) * Math.min(1, seconds / FOLLOW_SECONDS);
  return wanted === 0 && Math.abs(next) < LEAST ? 0 : next;
}

/** A drag on the rim of a jog wheel. */
export interface JogBend {
  /** @param degrees rotation of the rim since the last call */
  rotate(degrees: number): void;
  end(): void;
}

/** Starts a drag on the rim of a jog wheel: the deck is a little faster or slower while the rim turns. */
export function startJogBend(scope: Scope, engine: DjEngine, deck: DeckId): JogBend {
  const drag = scope.child();
  const jog = engine.controls[`deck.${deck}.jog`];
  let degrees = 0;
  let bend = 0;
  let at = 0;
  engine.animation.add(drag, (timeMs) => {
    const next = at === 0 ? 0 : bendAfter(bend, degrees, (timeMs - at) / 1000);
    at = timeMs;
    degrees = 0;
    if (next !== bend) jog.set((bend = next));
    return true;
  });
  return {
    rotate: (by) => {
      degrees += by;
    },
    end: () => {
      if (drag.isDisposed) return;
      drag.dispose();
      jog.set(0);
    },
  };
}
