import type { updateTracks } from '@stem-studio/contract/endpoints/tracks';
import type { Track } from '@stem-studio/contract/resources/track';
import type { z } from 'zod';

/** Fields that a request for several tracks changes. */
export type TracksChange = z.input<typeof updateTracks.body>['change'];

/** A change that returns a group of tracks to their earlier values. */
export interface UndoChange {
  readonly tracks: readonly Track[];
  readonly fields: TracksChange;
}

/**
 * Returns the changes that undo an edit of several tracks: one for each group of tracks with the same earlier values.
 * Tracks whose values the edit did not change need none.
 *
 * @param before the tracks before the edit
 */
export function undoChanges(before: readonly Track[], change: TracksChange): UndoChange[] {
  const groups = new Map<string, { tracks: Track[]; fields: TracksChange }>();
  for (const track of before) {
    const fields = earlierValues(track, change);
    const key = JSON.stringify(fields);
    const group = groups.get(key) ?? { tracks: [], fields };
    group.tracks.push(track);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function earlierValues(track: Track, change: TracksChange): TracksChange {
  const { add_tags, remove_tags, tags, ...others } = change;
  const names = Object.keys(others) as (keyof typeof others)[];
  const values = Object.fromEntries(names.map((name) => [name, track[name]])) as TracksChange;
  return add_tags || remove_tags || tags ? { ...values, tags: track.tags } : values;
}
