import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import { createStore } from 'zustand/vanilla';

/** Contents of a deck, as far as the library needs them. */
export interface DeckHolding {
  readonly trackId: string | null;
  readonly isPlaying: boolean;
}

const empty: DeckHolding = { trackId: null, isPlaying: false };

const holdings = createStore<Readonly<Record<DeckId, DeckHolding>>>(() => ({ a: empty, b: empty }));

/** Sets the contents of the decks of this page. */
export function setHoldings(next: Readonly<Record<DeckId, DeckHolding>>): void {
  holdings.setState(next);
}

/** Returns the decks of this page that hold a track; the empty decks for null. */
export function decksWith(trackId: string | null): readonly DeckId[] {
  return deckIds.filter((deck) => holdings.getState()[deck].trackId === trackId);
}

/** Returns the decks of this page that play a track. */
export function decksPlaying(trackId: string): readonly DeckId[] {
  return decksWith(trackId).filter((deck) => holdings.getState()[deck].isPlaying);
}
