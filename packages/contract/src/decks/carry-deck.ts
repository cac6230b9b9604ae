import type { DeckState } from '../resources/deck-session.ts';
import { deckPositionMs } from './deck-session-state.ts';

/** A deck at a place in milliseconds of its song, from `now` on; at the end of the song where the place is behind it. */
export function placeDeck(deck: DeckState, position_ms: number, now: number): DeckState {
  return { ...deck, position_ms: Math.min(position_ms, deck.duration_ms), position_at: now };
}

/** A deck where it is at `now`: at the moment when it was placed last, if that is later. */
export function carryDeck(deck: DeckState, now: number): DeckState {
  const at = deck.is_playing ? Math.max(now, deck.position_at) : now;
  return placeDeck(deck, deckPositionMs(deck, at), at);
}
