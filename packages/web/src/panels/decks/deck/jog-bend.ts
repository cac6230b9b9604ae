import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { DjBooth } from '../../../state/decks/dj-engine.ts';
import { setControl } from '../../../state/decks/set-control.ts';

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
export function pushAfter(push: number, degrees: number, seconds: number): number {
  if (seconds <= 0) return push;
  const wanted = Math.min(1, Math.max(-1, degrees / seconds / FULL_DEGREES_A_SECOND));
  const next = push + (wanted - push) * Math.min(1, seconds / FOLLOW_SECONDS);
  return wanted === 0 && Math.abs(next) < LEAST ? 0 : next;
}

/** A hand on the rim of a deck's platter. */
export interface RimPush {
  /** @param degrees how far the hand has turned the rim since the last call */
  turn(degrees: number): void;
  end(): void;
}

/** Lays a hand on the rim of a platter: the deck is a little faster or slower for as long as the hand turns it. */
export function startPush(scope: Scope, booth: DjBooth, deck: DeckId): RimPush {
  const hand = scope.child();
  let degrees = 0;
  let push = 0;
  let at = 0;
  booth.round.add(hand, (timeMs) => {
    const next = at === 0 ? 0 : pushAfter(push, degrees, (timeMs - at) / 1000);
    at = timeMs;
    degrees = 0;
    if (next !== push) setControl(booth, `deck.${deck}.jog`, (push = next));
  });
  return {
    turn: (by) => {
      degrees += by;
    },
    end: () => {
      if (hand.isDisposed) return;
      hand.dispose();
      setControl(booth, `deck.${deck}.jog`, 0);
    },
  };
}
