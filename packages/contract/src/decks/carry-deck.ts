import type { DeckState } from '../resources/deck-session.ts';
import { deckPositionMs } from './deck-session-state.ts';

/**
 * Returns a deck at a position in ms of its track, valid from `now`. The position is limited to the track's duration.
 */
export function setDeckPosition(deck: DeckState, position_ms: number, now: number): DeckState {
  return { ...deck, position_ms: Math.min(position_ms, deck.duration_ms), position_at: now };
}

/** Returns a deck advanced to its position at `now`. A playing deck placed later than `now` keeps position and time. */
export function carryDeck(deck: DeckState, now: number): DeckState {
  const at = deck.is_playing ? Math.max(now, deck.position_at) : now;
  return setDeckPosition(deck, deckPositionMs(deck, at), at);
}
