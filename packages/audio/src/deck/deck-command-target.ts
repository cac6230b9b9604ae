import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { DeckJump } from './deck-jump.ts';
import type { DeckTiming } from './deck-timing.ts';
import type { LocalDeck } from './local-deck.ts';

/** State and actions that the commands of a deck use. */
export interface DeckCommandTarget {
  state(deck: DeckId): DeckState;
  local(deck: DeckId): LocalDeck;
  setLocal(deck: DeckId, fields: Partial<LocalDeck>): void;
  timing(deck: DeckId): DeckTiming;
  /** Audible position of the deck, in seconds of the song. */
  positionSeconds(deck: DeckId): number;
  /** Position at which playback continues after a roll; null where unknown. */
  slipSeconds(deck: DeckId): number | null;
  /** Applies a message to the session, in every window. The jump follows from it unless it is given. */
  act(message: DeckMessage, jump?: DeckJump | null): void;
}
