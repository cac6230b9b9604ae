import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { DjEngine } from '../../../state/decks/dj-engine.ts';

/** How fast what is left between hand and sound is made good, a second. */
const CATCH_UP = 8;
const FASTEST = 16;

/**
 * The rate at which a platter has to turn so that the sound follows a hand: as fast as the hand, and a little faster or
 * slower by what it lags.
 *
 * @param handRate seconds of the song that the hand moved in a second
 * @param lagSeconds where the hand is, less what is heard
 */
export function scratchRate(handRate: number, lagSeconds: number): number {
  const rate = handRate + lagSeconds * CATCH_UP;
  return Math.min(FASTEST, Math.max(-FASTEST, Math.abs(rate) < 0.004 ? 0 : rate));
}

/** A hand on a deck. */
export interface ScratchDrag {
  /** @param songSeconds how far the hand has moved the song since it was laid on */
  move(songSeconds: number): void;
  end(): void;
}

/**
 * Lays a hand on a deck: it stands still, follows the hand with every picture, and goes on when the hand is taken off.
 */
export function startScratch(
  scope: Scope,
  { decks, animation, status }: DjEngine,
  deck: DeckId,
): ScratchDrag {
  const from = decks.positionSeconds(deck);
  const hand = scope.child();
  let target = from;
  let before = from;
  let at = 0;
  decks.scratch(deck, 0);
  animation.add(hand, (timeMs) => {
    const since = at === 0 ? 0 : (timeMs - at) / 1000;
    at = timeMs;
    const handRate = since > 0 ? (target - before) / since : 0;
    before = target;
    decks.scratch(deck, scratchRate(handRate, target - decks.positionSeconds(deck)));
  });
  return {
    move: (songSeconds) => {
      target = Math.max(0, from + songSeconds);
    },
    end: () => {
      if (hand.isDisposed) return;
      hand.dispose();
      decks.scratch(deck, null);
      // Where another window sounds there is no platter to hold: the song is put where the hand left it.
      if (!status.getState().isSounding && target !== from)
        decks.dispatch({ event: 'seek', deck, position_ms: target * 1000 });
    },
  };
}
