import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { updateTrack, updateTracks } from '@stem-studio/contract/endpoints/tracks';
import { tagBounds } from '@stem-studio/contract/limits';
import { type Track, tags } from '@stem-studio/contract/resources/track';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { type Owned, own } from '../../platform/owned.ts';
import { announceTrack, showTracksOf } from './tracks.service.ts';
import * as store from './tracks.store.ts';

/**
 * Changes the editable fields of a track. Later analyses do not overwrite a tempo or key set by the user.
 *
 * @throws `GRID_LOCKED` for a tempo that differs from that of a locked beat grid
 */
export async function editTrack(
  context: Context,
  track: Owned<store.TrackWithAudio>,
  change: HandlerInput<typeof updateTrack>['body'],
): Promise<void> {
  await context.db.transaction().execute((tx) => applyChange(context, tx, track, change));
}

async function applyChange(
  context: Context,
  tx: Tx,
  track: Pick<store.TrackRow, 'id' | 'user_id'>,
  change: HandlerInput<typeof updateTrack>['body'],
): Promise<void> {
  await store.updateTrack(tx, track.id, {
    ...change,
    ...(change.bpm !== undefined && { bpm_edited: change.bpm !== null }),
    ...(change.key !== undefined && { key_edited: change.key !== '' }),
    updated_at: context.clock.now(),
  });
  if (change.bpm !== undefined) {
    const { id: track_id, user_id } = track;
    await emit(context, tx, 'track.tempo_set', { track_id, user_id, bpm: change.bpm });
  }
  await announceTrack(tx, track.id, 'track_updated');
}

/**
 * Changes fields of several tracks of the caller in one transaction.
 *
 * @throws `NOT_FOUND` if one of them is missing, `GRID_LOCKED`; nothing is changed then
 */
export async function editTracks(
  context: Context,
  viewer: Viewer,
  { track_ids, change }: HandlerInput<typeof updateTracks>['body'],
): Promise<Track[]> {
  const { add_tags = [], remove_tags = [], ...fields } = change;
  const ids = [...new Set(track_ids)];
  return context.db.transaction().execute(async (tx) => {
    // The same order for every request, so that two of them cannot deadlock.
    for (const id of ids.toSorted()) {
      const row = await store.lockTrack(tx, id);
      if (!row || row.deleted_at !== null || !own(viewer, row)) throw notFound(`track ${id}`);
      const removed = new Set(remove_tags.map((tag) => tag.toLowerCase()));
      const kept = (fields.tags ?? row.tags).filter((tag) => !removed.has(tag.toLowerCase()));
      const isRetagged = add_tags.length > 0 || remove_tags.length > 0;
      const retagged = isRetagged ? tags.safeParse([...kept, ...add_tags]) : null;
      if (retagged && !retagged.success)
        throw invalid({ 'change.add_tags': [`must leave at most ${tagBounds.count} tags on each track`] });
      await applyChange(context, tx, row, { ...fields, ...(retagged && { tags: retagged.data }) });
    }
    return showTracksOf({ ...context, db: tx }, ids);
  });
}
