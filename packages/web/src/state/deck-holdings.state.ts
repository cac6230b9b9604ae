import { createStore } from 'zustand/vanilla';

/** One of the decks. */
export type HoldingDeck = 'a' | 'b';

/** What a deck holds, as far as the library has to know it. */
export interface DeckHolding {
  readonly trackId: string | null;
  readonly isPlaying: boolean;
}

const nothing: DeckHolding = { trackId: null, isPlaying: false };
const deckNames: readonly HoldingDeck[] = ['a', 'b'];

const holdings = createStore<Readonly<Record<HoldingDeck, DeckHolding>>>(() => ({ a: nothing, b: nothing }));

/** Says what the decks of this page hold. */
export function setHoldings(held: Readonly<Record<HoldingDeck, DeckHolding>>): void {
  holdings.setState(held);
}

/** The decks of this page that hold a track; those that hold nothing for null. */
export function decksWith(trackId: string | null): readonly HoldingDeck[] {
  return deckNames.filter((deck) => holdings.getState()[deck].trackId === trackId);
}

/** The decks of this page that play a track. */
export function decksPlaying(trackId: string): readonly HoldingDeck[] {
  return decksWith(trackId).filter((deck) => holdings.getState()[deck].isPlaying);
}
