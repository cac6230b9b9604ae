import type { Separation } from '@stem-studio/contract/resources/separation';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import { deleteMarkedFolders, markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { own } from '../../platform/owned.ts';
import { findJob } from '../../platform/queue/jobs.store.ts';
import {
  announceTrack,
  findOwnedTrack,
  forgetStems,
  getReadableTrack,
  recordStems,
  requireTrackId,
} from '../tracks/index.ts';
import * as store from './processing.store.ts';
import { type ProcessingArgs, previewSeconds, stemFolder, storedProcessingArgs } from './processing-args.ts';
import { listSeparationsOf, markDeleted, type SeparationRow } from './separations.store.ts';

/** A stored separation with its parsed arguments; null arguments cannot be read. */
interface KeptSeparation extends SeparationRow {
  readonly args: ProcessingArgs | null;
}

async function listKept(db: Db, trackId: string): Promise<KeptSeparation[]> {
  const rows = await listSeparationsOf(db, trackId);
  return rows.map((row) => ({ ...row, args: storedProcessingArgs.read(db, row.job.args, row.job.id) }));
}

/** Returns the newest separation of a whole track; null if it has none. */
const newestWhole = (kept: readonly KeptSeparation[]): string | null =>
  kept.find(({ args }) => args?.preview === false)?.job.id ?? null;

function present({ job, network, stems, args }: KeptSeparation, defaultId: string | null): Separation {
  const { started_at, finished_at } = job;
  const [{ track_id, engine, model, backend, created_at }] = stems;
  return {
    job_id: job.id,
    track_id,
    engine,
    model,
    backend,
    network,
    preview: args?.preview ?? false,
    is_default: job.id === defaultId,
    created_at: created_at.toISOString(),
    seconds_taken:
      started_at && finished_at ? Math.max(0, (finished_at.getTime() - started_at.getTime()) / 1000) : null,
    bytes: stems.reduce((sum, { file_size }) => sum + file_size, 0),
    duration_ms: Math.max(...stems.map(({ duration_ms }) => duration_ms)),
    stems: stems.map(store.presentStem),
  };
}

/**
 * Returns the separations of a track that the viewer may read, newest first.
 *
 * @throws `NOT_FOUND`
 * @spec Separations of a track
 */
export async function listSeparations(
  context: Context,
  viewer: Viewer,
  trackId: string,
): Promise<Separation[]> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  return (await listKept(context.db, track.id)).map((kept) => present(kept, track.stems_job_id));
}

/**
 * Makes a separation of the caller's the default of its track.
 *
 * @throws `NOT_FOUND`, also where its stems are deleted
 * @throws `VALIDATION_ERROR` for a preview
 */
export async function chooseSeparation(context: Context, viewer: Viewer, jobId: string): Promise<Separation> {
  const job = own(viewer, await findJob(context.db, jobId));
  if (!job || job.type !== 'processing') throw notFound('separation');
  const track = await findOwnedTrack(context.db, viewer, requireTrackId(job));
  return context.db.transaction().execute(async (tx) => {
    // Locks the track before its stems are read: they cannot be deleted meanwhile.
    await recordStems(context, tx, track.id, job.id);
    const chosen = (await listKept(tx, track.id)).find((kept) => kept.job.id === job.id);
    if (!chosen) throw notFound('separation');
    if (chosen.args?.preview !== false) {
      throw invalid({
        id: [`must be a separation of the whole track (this is a preview of ${previewSeconds} seconds)`],
      });
    }
    return present(chosen, job.id);
  });
}

/**
 * Deletes the stems of a separation of the caller's, rows and files. If it was the default of its track, the newest
 * other one becomes the default. Returns the freed bytes: 0 where it has none, or is not finished.
 *
 * @throws `NOT_FOUND`
 */
export async function removeStems(context: Context, viewer: Viewer, jobId: string): Promise<number> {
  const job = own(viewer, await findJob(context.db, jobId));
  if (!job || job.type !== 'processing') throw notFound('processing job');
  const trackId = requireTrackId(job);
  const freedBytes = await context.db.transaction().execute(async (tx) => {
    // Locks the track before its stems, in the same order as a separation that completes.
    const next = await forgetStems(context, tx, trackId, job.id, async () =>
      newestWhole((await listKept(tx, trackId)).filter((kept) => kept.job.id !== job.id)),
    );
    const bytes = await deleteStemsOf(context, tx, [job.id]);
    if (bytes === 0) return 0;
    await announceTrack(tx, trackId, 'track_updated');
    await emit(context, tx, 'stems.deleted', {
      track_id: trackId,
      user_id: job.user_id,
      job_id: job.id,
      next,
    });
    return bytes;
  });
  if (freedBytes > 0) await deleteMarkedFolders(context);
  return freedBytes;
}

/** Deletes the rows of stems, and marks their folders for deletion. Returns their bytes. */
async function deleteStemsOf(context: Context, tx: Tx, jobIds: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const jobId of jobIds) bytes += await store.deleteStems(tx, jobId);
  await markDeleted(tx, jobIds, context.clock.now());
  if (bytes > 0) await markFoldersForDeletion(context, tx, jobIds.map(stemFolder));
  return bytes;
}

/**
 * Deletes the separations that a new one replaces: those of the same track, engine and model, and in the cloud of the
 * same stems. A preview replaces previews only. Their files are removed by the next sweep, so that a running export
 * can finish.
 */
export async function replaceSeparations(
  context: Context,
  tx: Tx,
  run: { readonly jobId: string; readonly trackId: string; readonly userId: number },
  args: ProcessingArgs,
): Promise<void> {
  const replaced = (await listKept(tx, run.trackId))
    .filter((kept) => kept.job.id !== run.jobId && kept.args !== null && isSameKind(kept.args, args))
    .map(({ job }) => job.id);
  await deleteStemsOf(context, tx, replaced);
  for (const job_id of replaced)
    await emit(context, tx, 'stems.deleted', {
      track_id: run.trackId,
      user_id: run.userId,
      job_id,
      next: run.jobId,
    });
}

function isSameKind(one: ProcessingArgs, other: ProcessingArgs): boolean {
  if (one.engine !== other.engine || one.preview !== other.preview) return false;
  return one.engine === 'cloud'
    ? one.stem_types?.join() === other.stem_types?.join()
    : one.model === other.model;
}
