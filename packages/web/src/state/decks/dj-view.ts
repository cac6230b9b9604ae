import { createStore } from 'zustand/vanilla';

/** Parts of the decks' tab, of which a narrow page shows one. */
export const djViews = ['a', 'mixer', 'b', 'sampler', 'library'] as const;
/** One of {@link djViews}. */
export type DjView = (typeof djViews)[number];

/** Part of the decks' tab that a narrow page shows; in a separate module because it is needed before the decks load. */
export const djView = createStore<{ readonly view: DjView }>(() => ({ view: 'a' }));

/** Whether the decks' tab reports the lost connection itself, so that the page need not. */
export const deckConnection = createStore<{ readonly isReported: boolean }>(() => ({ isReported: false }));
