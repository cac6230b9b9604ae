import { restoreWindowSeconds } from '@stem-studio/contract/limits';
import type { Context } from '../../context.ts';
import { emit } from '../../platform/events.ts';
import { doomFolders, removeDoomedFolders } from '../../platform/files/doomed-folders.ts';
import { deleteSourceIfUnused } from './audio-sources.store.ts';
import * as store from './tracks.store.ts';

const batch = 50;

/**
 * Deletes for good what was deleted longer ago than it can be restored: rows, uploads that never became audio, stems,
 * and the audio when no other track has it. The folders are named in the transaction that deletes the rows, so that a
 * crash does not leave what the user has deleted. Answers how many tracks were deleted.
 */
export async function purgeDeletedTracks(context: Context): Promise<number> {
  const before = new Date(context.clock.now().getTime() - restoreWindowSeconds * 1000);
  const count = await context.db.transaction().execute(async (tx) => {
    const folders: string[] = [];
    const expired = await store.listExpired(tx, before, batch);
    for (const track of expired) {
      const jobIds = await store.listSeparationJobs(tx, track.id);
      await emit(context, tx, 'track.purged', { track_id: track.id });
      await store.deleteTrack(tx, track.id);
      folders.push(...jobIds.map((id) => `stems/${id}`));
      if (track.audio_source_id !== null && (await deleteSourceIfUnused(tx, track.audio_source_id))) {
        folders.push(`downloads/${track.audio_source_id}`);
      }
    }
    await doomFolders(context, tx, folders);
    return expired.length;
  });
  if (count > 0) await removeDoomedFolders(context);
  return count;
}
