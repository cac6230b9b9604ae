import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { DjEngine } from '../../../state/decks/dj-engine.ts';

/** A rim that turns so fast bends as far as can be. */
const FULL_DEGREES_A_SECOND = 480;
/** The push follows the hand within about this time, so that a picture without news of the finger is no gap in it. */
const FOLLOW_SECONDS = 0.08;
/** A push so small is none. */
const LEAST = 0.01;

/**
 * How far the rim of a platter pushes after a picture.
 *
 * @param push how far it pushed before, −1 to 1
 * @param degrees how far the hand turned it since
 * @param seconds since the picture before
 */
export function bendAfter(push: number, degrees: number, seconds: number): number {
  if (seconds <= 0) return push;
  const wanted = Math.min(1, Math.max(-1, degrees / seconds / FULL_DEGREES_A_SECOND));
  const next = push + (wanted - push) * Math.min(1, seconds / FOLLOW_SECONDS);
  return wanted === 0 && Math.abs(next) < LEAST ? 0 : next;
}

/** A hand on the rim of a deck's platter. */
export interface JogBend {
  /** @param degrees how far the hand has turned the rim since the last call */
  turn(degrees: number): void;
  end(): void;
}

/** Lays a hand on the rim of a platter: the deck is a little faster or slower for as long as the hand turns it. */
export function startJogBend(scope: Scope, engine: DjEngine, deck: DeckId): JogBend {
  const hand = scope.child();
  const jog = engine.controls[`deck.${deck}.jog`];
  let degrees = 0;
  let push = 0;
  let at = 0;
  engine.animation.add(hand, (timeMs) => {
    const next = at === 0 ? 0 : bendAfter(push, degrees, (timeMs - at) / 1000);
    at = timeMs;
    degrees = 0;
    if (next !== push) jog.set((push = next));
  });
  return {
    turn: (by) => {
      degrees += by;
    },
    end: () => {
      if (hand.isDisposed) return;
      hand.dispose();
      jog.set(0);
    },
  };
}
