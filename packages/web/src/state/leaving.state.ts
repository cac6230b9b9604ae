import { createStore } from 'zustand/vanilla';

/**
 * Whether a reload would stop audible decks or lose a recording. Nothing on the page offers a reload then.
 */
export const leaving = createStore<{ readonly isAtStake: boolean }>(() => ({ isAtStake: false }));
