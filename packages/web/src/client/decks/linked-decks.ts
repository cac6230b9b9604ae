import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId, DeckSessionState } from '@stem-studio/contract/resources/deck-session';

/** The decks of this window, as the link sees them: `DeckController` of the audio package is such. */
export interface LinkedDecks {
  readonly session: { getState(): DeckSessionState };
  /** Acts at once, and tells `onMessage`. */
  dispatch(message: DeckMessage): void;
  onMessage(heard: (message: DeckMessage) => void): void;
  /** What is true now: what others did, and what was done here. `moved` are the decks that others put elsewhere. */
  take(session: DeckSessionState, moved: ReadonlySet<DeckId>): void;
  /** What sounds goes on; a window that sounds says where its decks are. */
  setAudioEnabled(isSounding: boolean): void;
  /** Where a deck is heard now. */
  positionSeconds(deck: 'a' | 'b'): number;
}
