import type { StoreApi } from 'zustand/vanilla';
import type { Decks } from './decks.ts';
import type { DjState } from './dj-state.ts';

/** State that the controls of the decks read and change. */
export interface ControlTarget {
  /** State and commands of the decks, shown by all windows of the session. */
  readonly decks: Decks;
  /** State of this page alone. */
  readonly state: StoreApi<DjState>;
}
