import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { doomFolders } from '../../platform/files/doomed-folders.ts';
import { sourceFolder } from './download-args.ts';
import { listUnpreparedUploads } from './downloads.store.ts';

/** Removes what a user has sent and what never became sound of the library. Their jobs must have ended. */
export async function forgetUploadsOf(context: Context, tx: Tx, userId: number): Promise<void> {
  await doomFolders(context, tx, (await listUnpreparedUploads(tx, userId)).map(sourceFolder));
}
