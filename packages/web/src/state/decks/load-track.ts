import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { serviceReach } from '../../client/service-reach.ts';
import { toastError } from '../toasts.state.ts';
import type { ControlTarget } from './control-target.ts';

/**
 * Loads a track on a deck, after confirmation if the deck plays. While the service is not reachable the deck keeps its
 * track, because the new one could not be read.
 */
export function requestLoad({ decks, state }: ControlTarget, deck: DeckId, trackId: string): void {
  if (!serviceReach.getState().isReachable) {
    toastError('Track not loaded', 'The studio is not reachable. The deck keeps its track.');
    return;
  }
  if (decks.session.getState().decks[deck].is_playing) state.setState({ pendingLoad: { deck, trackId } });
  else decks.dispatch({ event: 'load_track', deck, track_id: trackId });
}

/** Confirms or cancels the load that {@link requestLoad} left pending. */
export function resolveLoad({ decks, state }: ControlTarget, isWanted: boolean): void {
  const { pendingLoad } = state.getState();
  state.setState({ pendingLoad: null });
  if (isWanted && pendingLoad)
    decks.dispatch({ event: 'load_track', deck: pendingLoad.deck, track_id: pendingLoad.trackId });
}

/**
 * Returns the deck for a track that is loaded without naming one: an empty one, else the one that does not play, else the
 * one that is not active.
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
