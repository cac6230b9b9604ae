import type { Track } from '@stem-studio/contract/resources/track';
import { createStore } from 'zustand/vanilla';
import { decksWith } from './deck-holdings.state.ts';
import { goTo, tabs } from './route.state.ts';

/** A track that is to be loaded on a deck. */
export interface LoadWish {
  readonly deck: 'a' | 'b';
  readonly track: Track;
}

/** What the user wished to load from the library and the decks have not taken yet. */
export const loadWish = createStore<{ readonly wish: LoadWish | null }>(() => ({ wish: null }));

const decksTab = tabs.find((name) => (name as string) === 'dj');

/** Whether the page has decks to load tracks on. */
export const hasDecks = decksTab !== undefined;

/** Wishes a track on a deck, and goes where the decks are. The decks say what becomes of it. */
export function wishLoad(deck: LoadWish['deck'], track: Track): void {
  loadWish.setState({ wish: { deck, track } });
  if (decksTab !== undefined) goTo({ tab: decksTab });
}

/** Wishes a track back on decks that it was taken off, where nothing else is by now. Goes nowhere. */
export function wishBack(decks: readonly LoadWish['deck'][], track: Track): void {
  const empty = decksWith(null);
  for (const deck of decks) if (empty.includes(deck)) loadWish.setState({ wish: { deck, track } });
}

/** The wish, which is taken with that; null where there is none. */
export function takeLoadWish(): LoadWish | null {
  const { wish } = loadWish.getState();
  if (wish) loadWish.setState({ wish: null });
  return wish;
}
