import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { doomFolders } from '../../platform/files/doomed-folders.ts';
import { deleteTracksOf, deleteUnusedSources } from './forget-tracks.store.ts';

/**
 * Removes all that a user had in the library, without the ten minutes in which a track can be brought back: tracks with
 * their jobs, stems and findings, and the sound that nobody else has. Their jobs must have ended.
 */
export async function forgetTracksOf(context: Context, tx: Tx, userId: number): Promise<void> {
  const { sourceIds, separationIds } = await deleteTracksOf(tx, userId);
  const unused = await deleteUnusedSources(tx, sourceIds);
  await doomFolders(context, tx, [
    ...separationIds.map((id) => `stems/${id}`),
    ...unused.map((id) => `downloads/${id}`),
  ]);
}
