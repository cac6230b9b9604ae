import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import { sourceFolder } from './download-args.ts';
import { listUnpreparedUploads, type UploadsOf } from './downloads.store.ts';

/**
 * Deletes uploads that never became audio of the library. These are uploads of a deleted user or of a permanently
 * deleted track, or those replaced by a newer upload. Their jobs must have ended.
 */
export async function forgetUploads(context: Context, tx: Tx, of: UploadsOf): Promise<void> {
  await markFoldersForDeletion(context, tx, (await listUnpreparedUploads(tx, of)).map(sourceFolder));
}
