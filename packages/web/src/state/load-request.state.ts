import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { Track } from '@stem-studio/contract/resources/track';
import { createStore } from 'zustand/vanilla';
import { decksWith } from './deck-holdings.state.ts';
import { goTo } from './route.state.ts';

/** A request to load a track on a deck. */
export interface LoadRequest {
  readonly deck: DeckId;
  readonly track: Track;
}

/** The load requests that the decks have not handled yet, at most one a deck, in their order. */
export const loadRequests = createStore<{ readonly requests: readonly LoadRequest[] }>(() => ({
  requests: [],
}));

/** Requests a track on a deck and opens the DJ tab; the decks may ask for confirmation. */
export function requestLoad(deck: DeckId, track: Track): void {
  addRequest({ deck, track });
  goTo({ tab: 'dj' });
}

/** Requests a restored track on the decks that held it, if they are still empty. Opens no tab. */
export function requestReload(decks: readonly DeckId[], track: Track): void {
  const empty = decksWith(null);
  for (const deck of decks) if (empty.includes(deck)) addRequest({ deck, track });
}

/** Returns the pending requests and clears them. */
export function takeLoadRequests(): readonly LoadRequest[] {
  const { requests } = loadRequests.getState();
  if (requests.length > 0) loadRequests.setState({ requests: [] });
  return requests;
}

/** Adds a request after those of the other deck; it replaces a former one of its own deck. */
function addRequest(request: LoadRequest): void {
  loadRequests.setState(({ requests }) => ({
    requests: [...requests.filter(({ deck }) => deck !== request.deck), request],
  }));
}
