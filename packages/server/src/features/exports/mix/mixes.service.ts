import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { createMix } from '@stem-studio/contract/endpoints/mixes';
import { keptMixes } from '@stem-studio/contract/limits';
import type { MixArgs, MixExport, MixSettings } from '@stem-studio/contract/resources/mix';
import { processingStatus } from '@stem-studio/contract/states';
import type { Context } from '../../../platform/context.ts';
import type { JobRow } from '../../../platform/db/platform-tables.ts';
import { failure, invalid, notFound, stateForbids } from '../../../platform/errors.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { findPermittedJob } from '../../../platform/queue/job-access.ts';
import { listJobs } from '../../../platform/queue/jobs.store.ts';
import { requestJobOnce } from '../../../platform/queue/jobs.ts';
import { listStems } from '../../processing/index.ts';
import {
  findOwnedTrack,
  findTrack,
  requireQuotaForTrack,
  requireTrackId,
  type TrackWithAudio,
  trackSubject,
} from '../../tracks/index.ts';
import { downloadName } from '../download-name.ts';
import { extensionOf, mixBytes, mixPath, storedMixArgs, unreadableMixArgs } from './mix-args.ts';
import { mixPartText } from './mix-file.ts';

/** Most mixes in a list: those kept, and queued ones. */
const mostListed = 2 * keptMixes.perUser;

/**
 * Requests a mix of the caller's track, or returns the unfinished job of the same mix. Throws `NOT_FOUND`,
 * `TRACK_NOT_DOWNLOADED`, `VALIDATION_ERROR` for stems that the separation lacks, or `QUOTA_EXCEEDED`.
 */
export async function requestMix(
  context: Context,
  viewer: Viewer,
  trackId: string,
  args: HandlerInput<typeof createMix>['body'],
): Promise<{ readonly mix: MixExport; readonly existing: boolean }> {
  const track = await findOwnedTrack(context.db, viewer, trackId);
  if (!track.audio)
    throw stateForbids(
      'TRACK_NOT_DOWNLOADED',
      'the track has no audio yet: wait for its download, or retry that',
    );
  await requireStems(context, track, args);
  const seconds = track.duration_ms / 1000;
  if (args.range && args.range.start >= seconds)
    throw invalid({ range: [`must begin within the song's ${seconds} s (got ${args.range.start})`] });
  const bytes = mixBytes(args, seconds, track.audio.sample_rate);
  return requestMixJob(context, track, { ...args, project: null }, bytes);
}

/** Requests a mix job, or returns the unfinished one with the same arguments. Throws `QUOTA_EXCEEDED`. */
export async function requestMixJob(
  context: Context,
  track: TrackWithAudio,
  args: MixArgs,
  bytes: number,
): Promise<{ readonly mix: MixExport; readonly existing: boolean }> {
  const subject = trackSubject(track.id);
  const request = { type: 'mix', user_id: track.user_id, subject, args, expected_bytes: bytes } as const;
  const asked = JSON.stringify(args);
  const { job, existing } = await context.db.transaction().execute((tx) =>
    requestJobOnce(
      context,
      tx,
      request,
      (other) => JSON.stringify(storedMixArgs.read(tx, other.args, other.id)) === asked,
      (locked) => requireQuotaForTrack(context, locked, track, { what: 'this mix', bytes, jobs: 1 }),
    ),
  );
  return { mix: await presentMix(context, job, track.title), existing };
}

async function requireStems(
  { db }: Context,
  track: { readonly id: string },
  { job_id, rows }: MixSettings,
): Promise<void> {
  if (job_id === null) return;
  const types = (await listStems(db, job_id))
    .filter((stem) => stem.track_id === track.id)
    .map(({ stem_type }) => stem_type);
  if (types.length === 0) throw failure('NOT_FOUND', 'the track has no completed separation of that job_id');
  const missing = rows.map(({ source }) => source).filter((source) => !(types as string[]).includes(source));
  if (missing.length > 0)
    throw invalid({
      rows: [`must be stems of the separation: ${types.join(', ')} (got ${missing.join(', ')})`],
    });
}

/** Returns the mix of a job as it is shown. */
export async function presentMix(context: Context, row: JobRow, title: string): Promise<MixExport> {
  const args = storedMixArgs.read(context.db, row.args, row.id) ?? unreadableMixArgs;
  const isReady = row.status === 'completed' && (await context.files.stat(mixPath(row.id, args))) !== null;
  const expiresMs = (row.finished_at?.getTime() ?? 0) + keptMixes.seconds * 1000;
  return {
    ...args,
    id: row.id,
    track_id: requireTrackId(row),
    track_title: title,
    status: processingStatus.parse(row.status),
    progress: row.progress,
    message: row.message,
    eta_seconds: row.eta_seconds,
    error: row.error,
    created_at: row.created_at.toISOString(),
    is_ready: isReady,
    expires_at: isReady ? new Date(expiresMs).toISOString() : null,
  };
}

/** Returns the caller's mixes that are unfinished or whose file is kept, newest first. */
export async function showMixes(context: Context, viewer: Viewer): Promise<MixExport[]> {
  const jobs = await listJobs(context.db, {
    user_id: viewer.id,
    type: 'mix',
    statuses: ['queued', 'processing', 'completed'],
    limit: mostListed,
  });
  const mixes: MixExport[] = [];
  for (const job of jobs) {
    const track = await findTrack(context.db, requireTrackId(job));
    if (!track) continue;
    const mix = await presentMix(context, job, track.title);
    if (mix.is_ready || mix.status !== 'completed') mixes.push(mix);
  }
  return mixes;
}

async function getMixJob(
  context: Context,
  viewer: Viewer,
  id: string,
): Promise<{ readonly job: JobRow; readonly track: TrackWithAudio }> {
  const job = await findPermittedJob(context, viewer, id, 'read');
  const track = job?.type === 'mix' ? await findTrack(context.db, requireTrackId(job)) : undefined;
  if (!job || !track) throw notFound('mix');
  return { job, track };
}

/** Returns a mix that the viewer may read. Throws `NOT_FOUND`. */
export async function showMix(context: Context, viewer: Viewer, id: string): Promise<MixExport> {
  const { job, track } = await getMixJob(context, viewer, id);
  return presentMix(context, job, track.title);
}

/** Returns path and name of the file of a mix. Throws `NOT_FOUND`, with the reason for a file that is not there. */
export async function findMixFile(
  context: Context,
  viewer: Viewer,
  id: string,
): Promise<{ readonly path: string; readonly name: string }> {
  const { job, track } = await getMixJob(context, viewer, id);
  const args = storedMixArgs.read(context.db, job.args, job.id) ?? unreadableMixArgs;
  const path = mixPath(job.id, args);
  if (job.status !== 'completed')
    throw failure('NOT_FOUND', 'the mix is not ready: wait until its job is completed');
  if (!(await context.files.stat(path)))
    throw failure(
      'NOT_FOUND',
      'the file of the mix was deleted: files are kept for a day; export the mix again',
    );
  const { artist, title } = track;
  const part = args.project?.name ?? mixPartText(args);
  return { path, name: downloadName({ artist, title, part, extension: extensionOf(args) }) };
}
