import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState, deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import type { LinkedDecks } from '../linked-decks.ts';

/** Decks without audio: they apply the common rules and record what they receive. */
export class SilentDecks implements LinkedDecks {
  state: DeckSessionState = createDeckSessionState();
  isSounding = false;
  readonly session = { getState: () => this.state };
  readonly #now: () => number;
  #listener: (message: DeckMessage) => void = () => undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  dispatch(message: DeckMessage): void {
    this.state = applyDeckMessage(this.state, message, { now: this.#now() });
    this.#listener(message);
  }

  onMessage(listener: (message: DeckMessage) => void): void {
    this.#listener = listener;
  }

  take(session: DeckSessionState): void {
    this.state = session;
  }

  setAudioEnabled(isSounding: boolean): void {
    this.isSounding = isSounding;
  }

  positionSeconds(deck: 'a' | 'b'): number {
    return deckPositionMs(this.state.decks[deck], this.#now()) / 1000;
  }
}
