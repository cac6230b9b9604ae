import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId, DeckState } from '@stem-studio/contract/resources/deck-session';
import type { DeckJump } from './deck-jump.ts';
import type { DeckTiming } from './deck-timing.ts';
import type { LocalDeck } from './local-deck.ts';

/** What the commands of a deck are scheduled of. */
export interface DeckCommandTarget {
  state(deck: DeckId): DeckState;
  local(deck: DeckId): LocalDeck;
  setLocal(deck: DeckId, fields: Partial<LocalDeck>): void;
  timing(deck: DeckId): DeckTiming;
  /** Where the deck is heard now. */
  positionSeconds(deck: DeckId): number;
  /** Where it will be when its roll ends; null where that is not known. */
  slipSeconds(deck: DeckId): number | null;
  /** Does what a message says, here and everywhere. Where the deck jumps to follows from it unless it is given. */
  act(message: DeckMessage, jump?: DeckJump | null): void;
}
