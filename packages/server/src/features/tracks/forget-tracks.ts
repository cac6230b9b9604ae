import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import { deleteTrackCount } from '../quotas/index.ts';
import { deleteTracksOf, deleteUnusedSources } from './forget-tracks.store.ts';

/**
 * Deletes a user's library at once, without the trash. This includes tracks with
 * their jobs, stem rows and analyses, and the audio that no other user has. Their jobs must have ended.
 */
export async function forgetTracksOf(context: Context, tx: Tx, userId: number): Promise<void> {
  const sourceIds = await deleteTracksOf(tx, userId);
  await deleteTrackCount(tx, userId);
  const unused = await deleteUnusedSources(tx, sourceIds);
  await markFoldersForDeletion(
    context,
    tx,
    unused.map((id) => `downloads/${id}`),
  );
}
