import { libraryChannel } from '@stem-studio/contract/events/library';
import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { readTabStorage, writeTabStorage } from './tab-storage.ts';

const storageKey = 'stem-studio.duplicates';
const stored = z.array(libraryChannel.pushes.duplicate_found);

/** A new track with the same audio as an older one of the library. */
export type Duplicate = z.output<(typeof libraryChannel.pushes)['duplicate_found']>;

/**
 * New tracks that are in the library already by their audio, until the user has decided about them. They survive a
 * reload of the page.
 */
export const duplicates = createStore<{ readonly found: readonly Duplicate[] }>(() => ({
  found: stored.safeParse(readTabStorage(storageKey)).data ?? [],
}));

duplicates.subscribe(({ found }) => writeTabStorage(storageKey, found));

/** Adds a new track with known audio; a repeated report of a track replaces the earlier one. */
export function addDuplicate(duplicate: Duplicate): void {
  const others = duplicates.getState().found.filter(({ track_id }) => track_id !== duplicate.track_id);
  duplicates.setState({ found: [...others, duplicate] });
}

/** Removes tracks that the user has decided about, or that are gone, also as the older track. */
export function settleDuplicates(trackIds: readonly string[]): void {
  const found = duplicates
    .getState()
    .found.filter(
      ({ track_id, existing }) => ![track_id, existing.track_id].some((id) => trackIds.includes(id)),
    );
  duplicates.setState({ found });
}
