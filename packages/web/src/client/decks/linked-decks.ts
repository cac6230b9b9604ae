import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';

/** The decks of this window as used by the link; implemented by `DeckController` of the audio package. */
export interface LinkedDecks {
  readonly session: { getState(): DeckSessionState };
  /** Applies a message at once and passes it to `onMessage`. */
  dispatch(message: DeckMessage): void;
  onMessage(listener: (message: DeckMessage) => void): void;
  /** Replaces the shown session state. `moved` are the decks that other windows moved. */
  take(session: DeckSessionState, moved: ReadonlySet<DeckId>): void;
  /** Switches the audio of this window on or off; playing decks continue. */
  setAudioEnabled(isSounding: boolean): void;
  /** Returns the audible position of a deck, in seconds. */
  positionSeconds(deck: 'a' | 'b'): number;
}
