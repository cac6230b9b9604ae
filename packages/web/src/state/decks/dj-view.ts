import { createStore } from 'zustand/vanilla';

/** What of the decks' tab a narrow page shows. */
export const djViews = ['a', 'mixer', 'b', 'library'] as const;
/** One of {@link djViews}. */
export type DjView = (typeof djViews)[number];

/** What a narrow page shows in the decks' tab; known to the page before the decks are loaded. */
export const djView = createStore<{ readonly view: DjView }>(() => ({ view: 'a' }));

/** Whether the decks' tab says itself that the studio is lost or the login has ended: nobody else has to. */
export const deckConnection = createStore<{ readonly isReported: boolean }>(() => ({ isReported: false }));
