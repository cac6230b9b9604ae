import { libraryChannel } from '@stem-studio/contract/events/library';
import type { CatalogItem } from '@stem-studio/contract/resources/catalog';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import { cancelledError } from '@stem-studio/contract/resources/job';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { asReadable, own } from '../../platform/owned.ts';
import { findJob } from '../../platform/queue/jobs.store.ts';
import { cancelJob } from '../../platform/queue/jobs.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import { publish } from '../../platform/socket/publish.ts';
import { type AcceptedDownload, importTrackIn } from './import-track.ts';
import * as store from './imports.store.ts';

/** Songs that are asked for in one transaction: few enough that nobody waits for their locks. */
const songsAtOnce = 25;
/** An import without any job under way is given up after this long. */
const strandedSeconds = 600;

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

/**
 * Imports an album or a playlist: tracks and downloads in small transactions, all of one batch. Answers every song in
 * its order, and the import's id, null when nothing new was to be fetched.
 */
export async function importCollection(
  context: Context,
  viewer: Viewer,
  found: Exclude<CatalogItem, { type: 'track' }>,
  quality: DownloadQuality,
): Promise<{ items: AcceptedDownload[]; import_id: string | null }> {
  const id = newId();
  const { type, title } = found;
  const row = {
    id,
    user_id: viewer.id,
    type,
    title,
    total: found.tracks.length,
    created_at: context.clock.now(),
  };
  await store.insertImport(context.db, row);
  const items: AcceptedDownload[] = [];
  let asked = 0;
  try {
    for (let at = 0; at < found.tracks.length; at += songsAtOnce) {
      // Somebody may have cancelled while the rest was still being asked for.
      if ((await store.findImport(context.db, id))?.cancelled_at) break;
      const some = found.tracks.slice(at, at + songsAtOnce);
      const accepted = await context.db.transaction().execute(async (tx) => {
        await store.lockImportsOf(tx, viewer.id);
        const made: AcceptedDownload[] = [];
        for (const track of some) made.push(await importTrackIn(context, tx, viewer, track, quality, id));
        return made;
      });
      items.push(...accepted);
      asked += accepted.filter((item) => item.created).length;
      await context.db.transaction().execute(async (tx) => {
        const now = await store.findImport(tx, id);
        if (now) await announce(context, tx, now);
      });
    }
  } finally {
    await settle(context, id, asked);
  }
  return { items, import_id: asked > 0 ? id : null };
}

async function settle(context: Context, id: string, asked: number): Promise<void> {
  if (asked === 0) return store.deleteImport(context.db, id);
  await context.db.transaction().execute(async (tx) => {
    const row = await store.settleTotal(tx, id, asked, context.clock.now());
    if (row) await announce(context, tx, row);
  });
  // What was asked for after a cancel had ended the rest ends too.
  if ((await store.findImport(context.db, id))?.cancelled_at) await endJobs(context, id);
}

/** Counts a download that is over in the import it belongs to, in the transaction that ends it. */
export async function countInImport(
  context: Context,
  tx: Tx,
  jobId: string,
  outcome: 'completed' | 'failed',
): Promise<void> {
  const batchId = (await findJob(tx, jobId))?.batch_id;
  if (!batchId) return;
  // While all of it is being cancelled nobody locks the import's row: who cancels counts at the end.
  if ((await store.findImport(tx, batchId))?.cancelled_at) return;
  const row = await store.countSong(tx, batchId, outcome, context.clock.now());
  if (row) await announce(context, tx, row);
}

/** The caller's imports under way. */
export async function showImports(context: Context, viewer: Viewer): Promise<LibraryImport[]> {
  return (await store.listUnfinishedImports(context.db, viewer.id)).map((row) => present(context, row));
}

/** An import as the service shows it. Throws `NOT_FOUND`. */
export async function showImport(context: Context, viewer: Viewer, id: string): Promise<LibraryImport> {
  const row = asReadable(viewer, await store.findImport(context.db, id));
  if (!row) throw notFound('import');
  return present(context, row);
}

/** Ends every download of an import that is not finished. Throws `NOT_FOUND`, `JOB_NOT_CANCELLABLE`. */
export async function endImport(context: Context, viewer: Viewer, id: string): Promise<void> {
  const row = own(viewer, await store.findImport(context.db, id));
  if (!row) throw notFound('import');
  if (!(await store.markCancelled(context.db, id, context.clock.now()))) {
    const status = row.cancelled_at === null ? 'completed' : cancelledError;
    throw stateForbids(
      'JOB_NOT_CANCELLABLE',
      `only a running import can be cancelled (this one is ${status})`,
    );
  }
  await endJobs(context, id);
}

async function endJobs(context: Context, id: string): Promise<void> {
  for (const jobId of await store.listUnfinishedJobs(context.db, id)) await cancelJob(context, jobId);
  await context.db.transaction().execute(async (tx) => {
    await announce(context, tx, await store.finishCancelled(tx, id, context.clock.now()));
  });
}

/** Ends imports whose request died before it had asked for all songs, and whose downloads are over. */
export async function finishStrandedImports(context: Context): Promise<number> {
  const before = new Date(context.clock.now().getTime() - strandedSeconds * 1000);
  const stranded = await store.listStranded(context.db, before);
  for (const { id, completed, failed } of stranded) {
    await context.db.transaction().execute(async (tx) => {
      const row = await store.settleTotal(tx, id, completed + failed, context.clock.now());
      if (row) await announce(context, tx, row);
      else await announce(context, tx, await store.finishCancelled(tx, id, context.clock.now()));
    });
  }
  return stranded.length;
}
