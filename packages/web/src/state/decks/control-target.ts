import type { StoreApi } from 'zustand/vanilla';
import type { Decks } from './decks.ts';
import type { DjState } from './dj-state.ts';

/** What controls work on. */
export interface Desk {
  readonly decks: Decks;
  readonly state: StoreApi<DjState>;
}
