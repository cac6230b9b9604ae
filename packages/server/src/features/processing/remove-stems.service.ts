import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { deleteMarkedFolders, markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { own } from '../../platform/owned.ts';
import { findJob } from '../../platform/queue/jobs.store.ts';
import { forgetStems, requireTrackId } from '../tracks/index.ts';
import * as store from './processing.store.ts';
import { stemFolder } from './processing-args.ts';

/**
 * Deletes the stems of a separation of the caller's, rows and files. Returns the freed bytes: 0 where it has none, or
 * is not finished.
 *
 * @throws `NOT_FOUND`
 */
export async function removeStems(context: Context, viewer: Viewer, jobId: string): Promise<number> {
  const job = own(viewer, await findJob(context.db, jobId));
  if (!job || job.type !== 'processing') throw notFound('processing job');
  const freedBytes = await context.db.transaction().execute(async (tx) => {
    // Locks the track before its stems, in the same order as a separation that completes.
    await forgetStems(context, tx, requireTrackId(job), job.id);
    const bytes = await store.deleteStems(tx, job.id);
    if (bytes > 0) await markFoldersForDeletion(context, tx, [stemFolder(job.id)]);
    return bytes;
  });
  if (freedBytes > 0) await deleteMarkedFolders(context);
  return freedBytes;
}
