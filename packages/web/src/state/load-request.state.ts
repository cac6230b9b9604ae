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

/** The load request from the library that the decks have not handled yet. */
export const loadRequest = createStore<{ readonly request: LoadRequest | null }>(() => ({ request: null }));

/** Requests a track on a deck and opens the DJ tab; the decks may ask for confirmation. */
export function requestLoad(deck: DeckId, track: Track): void {
  loadRequest.setState({ request: { deck, track } });
  goTo({ tab: 'dj' });
}

/** Requests a restored track on the decks that held it, if they are still empty. Opens no tab. */
export function requestReload(decks: readonly DeckId[], track: Track): void {
  const empty = decksWith(null);
  for (const deck of decks) if (empty.includes(deck)) loadRequest.setState({ request: { deck, track } });
}

/** Returns the pending request and clears it; null when there is none. */
export function takeLoadRequest(): LoadRequest | null {
  const { request } = loadRequest.getState();
  if (request) loadRequest.setState({ request: null });
  return request;
}
