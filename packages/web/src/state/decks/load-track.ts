import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { type DeckId, type DeckSessionState, deckIds } from '@stem-studio/contract/resources/deck-session';
import type { ControlTarget } from './control-target.ts';

/** Loads a track on a deck; of a deck that plays it is asked first. */
export function askLoad({ decks, state }: ControlTarget, deck: DeckId, trackId: string): void {
  if (decks.session.getState().decks[deck].is_playing) state.setState({ loadQuestion: { deck, trackId } });
  else decks.dispatch({ event: 'load_track', deck, track_id: trackId });
}

/** Answers the question of {@link askLoad}. */
export function answerLoad({ decks, state }: ControlTarget, isWanted: boolean): void {
  const { loadQuestion } = state.getState();
  state.setState({ loadQuestion: null });
  if (isWanted && loadQuestion)
    decks.dispatch({ event: 'load_track', deck: loadQuestion.deck, track_id: loadQuestion.trackId });
}

/**
 * The deck that a track goes to when none is named: an empty one, else the one that does not play, else the one that is
 * not active.
 */
export function freeDeck({ decks, mixer }: DeckSessionState): DeckId {
  const { active_deck } = mixer;
  const order = [active_deck, otherDeck(active_deck)];
  return (
    order.find((deck) => decks[deck].track_id === null) ??
    deckIds.find((deck) => !decks[deck].is_playing && decks[otherDeck(deck)].is_playing) ??
    otherDeck(active_deck)
  );
}
