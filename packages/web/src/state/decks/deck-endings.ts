import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import { createStore } from 'zustand/vanilla';

/** Whether a deck is near the end of its track. */
export interface DeckEndState {
  /** The end is near enough to be announced, once per pass: see `LocalDeck.isEnding`. */
  readonly isNear: boolean;
  /** Playing time until the end in whole seconds; null if the deck does not reach it, as in a loop. */
  readonly secondsLeft: number | null;
}

/** State of a deck that is not near its end. */
export const notEnding: DeckEndState = { isNear: false, secondsLeft: null };

/** End state of both decks, for all tabs of the page. */
export const endings = createStore<Readonly<Record<DeckId, DeckEndState>>>(() => ({
  a: notEnding,
  b: notEnding,
}));

/** Sets the end state of both decks; listeners are called only after changes. */
export function setEndings(next: Readonly<Record<DeckId, DeckEndState>>): void {
  const before = endings.getState();
  const isSame = deckIds.every(
    (deck) =>
      before[deck].isNear === next[deck].isNear && before[deck].secondsLeft === next[deck].secondsLeft,
  );
  if (!isSame) endings.setState(next);
}
