import type { Track } from '@stem-studio/contract/resources/track';
import { createStore } from 'zustand/vanilla';

/** Source of a reference track: deck A, deck B, or a track that the user picked in the library. */
export type ReferenceSlot = 'a' | 'b' | 'picked';

/** Reference tracks that the library is compared with, and the one that it is sorted by. */
export interface References {
  readonly a: Track | null;
  readonly b: Track | null;
  readonly picked: Track | null;
  readonly sortedBy: ReferenceSlot | null;
}

/** The current reference tracks. */
export const references = createStore<References>(() => ({ a: null, b: null, picked: null, sortedBy: null }));

/** Sets the tracks of the decks; their `bpm` is the tempo at which they play. */
export function setReferences({ a, b }: Pick<References, 'a' | 'b'>): void {
  change({ a, b });
}

/** Makes a track the only reference and sorts the library by fit with it; null for none. */
export function pickReference(picked: Track | null): void {
  change({ picked, ...(picked && { sortedBy: 'picked' }) });
}

/** Updates the picked track; ignores any other track. */
export function renewPicked(track: Track): void {
  if (references.getState().picked?.id === track.id) change({ picked: track });
}

/** Sorts the library by fit with a reference; null for the order of a column. */
export function sortByFit(sortedBy: ReferenceSlot | null): void {
  change({ sortedBy });
}

/** Applies a change, and stops sorting by a reference that no longer exists. */
function change(changed: Partial<References>): void {
  const next = { ...references.getState(), ...changed };
  const isGone = next.sortedBy !== null && next[next.sortedBy] === null;
  references.setState(isGone ? { ...next, sortedBy: null } : next);
}

/** Returns the references of the rows: the picked track alone, or else the tracks of the decks. */
export function activeReferences(
  state: References,
): readonly { readonly slot: ReferenceSlot; readonly track: Track }[] {
  const slots: readonly ReferenceSlot[] = state.picked ? ['picked'] : ['a', 'b'];
  return slots.flatMap((slot) => {
    const track = state[slot];
    return track ? [{ slot, track }] : [];
  });
}

/** Whether a track has a key or a tempo to compare others with. */
export function isComparable(track: Pick<Track, 'key' | 'bpm'>): boolean {
  return track.key !== '' || track.bpm !== null;
}

/** Whether there is any reference track. */
export function hasReference(state: References): boolean {
  return state.picked !== null || state.a !== null || state.b !== null;
}

/** Name of a reference within a sentence, such as `deck A`. */
export function referenceName({ slot, track }: { slot: ReferenceSlot; track: Track }): string {
  return slot === 'picked' ? `“${track.title}”` : `deck ${slot.toUpperCase()}`;
}
