import type { Track } from '@stem-studio/contract/resources/track';
import { createStore } from 'zustand/vanilla';

/** Where a reference comes from: what is loaded on deck A or B, or a track that the user picked in the library. */
export type ReferenceSlot = 'a' | 'b' | 'picked';

/** Tracks that others are compared with, and by which of them the library is put in order. */
export interface References {
  readonly a: Track | null;
  readonly b: Track | null;
  readonly picked: Track | null;
  readonly sortedBy: ReferenceSlot | null;
}

/** What the rows of the library are lit up for. */
export const references = createStore<References>(() => ({ a: null, b: null, picked: null, sortedBy: null }));

/** Says what the decks hold. A track may carry the tempo that it plays at, instead of its own. */
export function setReferences({ a, b }: Pick<References, 'a' | 'b'>): void {
  change({ a, b });
}

/** Takes a track as the one reference, until null, and puts the library in the order of what fits with it. */
export function pickReference(picked: Track | null): void {
  change({ picked, ...(picked && { sortedBy: 'picked' }) });
}

/** Tells how the picked track stands now; of another track nothing. */
export function renewPicked(track: Track): void {
  if (references.getState().picked?.id === track.id) change({ picked: track });
}

/** Puts the library in the order of what fits with a reference; null for the order of its columns. */
export function sortByFit(sortedBy: ReferenceSlot | null): void {
  change({ sortedBy });
}

/** Nothing is in the order of a reference that is gone. */
function change(changed: Partial<References>): void {
  const next = { ...references.getState(), ...changed };
  const isGone = next.sortedBy !== null && next[next.sortedBy] === null;
  references.setState(isGone ? { ...next, sortedBy: null } : next);
}

/** The references that rows are compared with: a picked one alone, else what the decks hold. */
export function activeReferences(
  state: References,
): readonly { readonly slot: ReferenceSlot; readonly track: Track }[] {
  const slots: readonly ReferenceSlot[] = state.picked ? ['picked'] : ['a', 'b'];
  return slots.flatMap((slot) => {
    const track = state[slot];
    return track ? [{ slot, track }] : [];
  });
}

/** Whether enough is known of a track to compare others with it. */
export function isComparable(track: Pick<Track, 'key' | 'bpm'>): boolean {
  return track.key !== '' || track.bpm !== null;
}

/** Whether there is any reference. */
export function hasReference(state: References): boolean {
  return state.picked !== null || state.a !== null || state.b !== null;
}

/** What a reference is called in a sentence. */
export function referenceName({ slot, track }: { slot: ReferenceSlot; track: Track }): string {
  return slot === 'picked' ? `“${track.title}”` : `deck ${slot.toUpperCase()}`;
}
