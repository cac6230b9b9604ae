import { libraryChannel } from '@stem-studio/contract/events/library';
import type { CatalogItem } from '@stem-studio/contract/resources/catalog';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import { cancelledError } from '@stem-studio/contract/resources/job';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { asReadable, own } from '../../platform/owned.ts';
import { cancelBatch } from '../../platform/queue/job-batches.ts';
import { findJob } from '../../platform/queue/jobs.store.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import { publish } from '../../platform/socket/publish.ts';
import { type AcceptedDownload, importTracks } from './import-track.ts';
import * as store from './imports.store.ts';

function present(context: Context, row: store.ImportRow): LibraryImport {
  const fraction = row.total === 0 ? 1 : Math.min(1, (row.completed + row.failed) / row.total);
  const isFinished = row.finished_at !== null;
  const sinceMs = context.clock.now().getTime() - row.created_at.getTime();
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    status: row.cancelled_at !== null ? 'cancelled' : isFinished ? 'completed' : 'running',
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    progress: isFinished ? 100 : Math.floor(fraction * 100),
    eta_seconds: isFinished ? null : secondsLeft(sinceMs, fraction),
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

async function announce(context: Context, db: Db, row: store.ImportRow): Promise<void> {
  const payload = { import: present(context, row) };
  await publish(db, libraryChannel, { user_id: row.user_id }, 'import_progress', payload);
}

/** Publishes one event for many changes, after which the owner's clients fetch their lists again. */
async function announceMany(
  db: Db,
  userId: number,
  changed: { readonly import_id: string | null; readonly tracks: number; readonly jobs: number },
): Promise<void> {
  await publish(db, libraryChannel, { user_id: userId }, 'library_changed', changed);
}

/**
 * Imports an album or a playlist in one transaction, completely or not at all. The number of statements hardly grows
 * with the list. Returns every track in order and the import's id, null when no download was needed. Its tracks are
 * published in one event, so the cost does not depend on the number of connected clients.
 */
export async function importCollection(
  context: Context,
  viewer: Viewer,
  found: Exclude<CatalogItem, { type: 'track' }>,
  quality: DownloadQuality,
): Promise<{ items: AcceptedDownload[]; import_id: string | null }> {
  const id = newId();
  const { type, title } = found;
  return context.db.transaction().execute(async (tx) => {
    await store.lockImportsOf(tx, viewer.id);
    const { items, asked, changed } = await importTracks(context, tx, viewer, found.tracks, quality, id);
    const import_id = asked > 0 ? id : null;
    if (asked > 0) {
      const created_at = context.clock.now();
      const row = { id, user_id: viewer.id, type, title, total: asked, created_at };
      await announce(context, tx, await store.insertImport(tx, row));
    }
    if (asked > 0 || changed > 0)
      await announceMany(tx, viewer.id, { import_id, tracks: changed, jobs: asked });
    return { items, import_id };
  });
}

/** Counts a finished download in its import, in the transaction that ends it. */
export async function countInImport(
  context: Context,
  tx: Tx,
  jobId: string,
  outcome: 'completed' | 'failed',
): Promise<void> {
  const batchId = (await findJob(tx, jobId))?.batch_id;
  if (!batchId) return;
  const row = await store.countSong(tx, batchId, outcome, context.clock.now());
  if (row) await announce(context, tx, row);
}

/** Returns the caller's unfinished imports. */
export async function showImports(context: Context, viewer: Viewer): Promise<LibraryImport[]> {
  return (await store.listUnfinishedImports(context.db, viewer.id)).map((row) => present(context, row));
}

/**
 * Returns an import in its wire format.
 *
 * @throws `NOT_FOUND`
 */
export async function showImport(context: Context, viewer: Viewer, id: string): Promise<LibraryImport> {
  const row = asReadable(viewer, await store.findImport(context.db, id));
  if (!row) throw notFound('import');
  return present(context, row);
}

/**
 * Cancels every unfinished download of an import, in one transaction.
 *
 * Locks the jobs first and the import's row last, as a completing download does: the other order would deadlock.
 *
 * @throws `NOT_FOUND`, `JOB_NOT_CANCELLABLE`
 */
export async function endImport(context: Context, viewer: Viewer, id: string): Promise<void> {
  const row = own(viewer, await store.findImport(context.db, id));
  if (!row) throw notFound('import');
  await context.db.transaction().execute(async (tx) => {
    const jobs = await cancelBatch(context, tx, id);
    const ended = await store.cancelImport(tx, id, context.clock.now());
    if (!ended) {
      const status = (await store.findImport(tx, id))?.cancelled_at ? cancelledError : 'completed';
      throw stateForbids(
        'JOB_NOT_CANCELLABLE',
        `only a running import can be cancelled (this one is ${status})`,
      );
    }
    await announce(context, tx, ended);
    await announceMany(tx, row.user_id, { import_id: id, tracks: 0, jobs });
  });
}
