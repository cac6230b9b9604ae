import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-session';
import { createStore } from 'zustand/vanilla';

/** How near a deck is to the end of its song. */
export interface DeckEndState {
  /** It has come so near that it is announced: once a pass, see `LocalDeck.isEnding`. */
  readonly isNear: boolean;
  /** Whole seconds of sound until it ends; null where it does not come to its end, as in a loop. */
  readonly secondsLeft: number | null;
}

/** A deck that is nowhere near. */
export const notEnding: DeckEndState = { isNear: false, secondsLeft: null };

/** The songs on the decks that end: known to the whole page, so that every room can say so. */
export const endings = createStore<Readonly<Record<DeckId, DeckEndState>>>(() => ({
  a: notEnding,
  b: notEnding,
}));

/** Says how near a deck is to its end; who follows hears only of what has changed. */
export function setEndings(next: Readonly<Record<DeckId, DeckEndState>>): void {
  const before = endings.getState();
  const isSame = deckIds.every(
    (deck) =>
      before[deck].isNear === next[deck].isNear && before[deck].secondsLeft === next[deck].secondsLeft,
  );
  if (!isSame) endings.setState(next);
}
