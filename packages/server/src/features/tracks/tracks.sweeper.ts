import { restoreWindowSeconds } from '@stem-studio/contract/limits';
import type { Context } from '../../context.ts';
import { deleteSourceIfUnused } from './audio-sources.store.ts';
import * as store from './tracks.store.ts';

const batch = 50;

/**
 * Removes for good what was deleted longer ago than it can be restored: rows, stems, and the sound when nobody else
 * has it. Rows go first, in a transaction; files that a crash leaves behind are found by the sweep of orphans.
 * Answers how many tracks went.
 */
export async function purgeDeletedTracks(context: Context): Promise<number> {
  const before = new Date(context.clock.now().getTime() - restoreWindowSeconds * 1000);
  const { count, folders } = await context.db.transaction().execute(async (tx) => {
    const gone: string[] = [];
    const expired = await store.listExpired(tx, before, batch);
    for (const track of expired) {
      const jobIds = await store.listSeparationJobs(tx, track.id);
      await store.deleteTrack(tx, track.id);
      gone.push(...jobIds.map((id) => `stems/${id}`));
      if (track.audio_source_id !== null && (await deleteSourceIfUnused(tx, track.audio_source_id))) {
        gone.push(`downloads/${track.audio_source_id}`);
      }
    }
    return { count: expired.length, folders: gone };
  });
  for (const folder of folders) await context.files.removeFolder(folder);
  return count;
}
