import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import { finishedStatuses, type JobStatus } from '@stem-studio/contract/states';
import type { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { requestJobs } from '../../platform/queue/job-batches.ts';
import { newestJobs } from '../../platform/queue/jobs.store.ts';
import { type JobRequest, promoteJob, requestJob } from '../../platform/queue/jobs.ts';
import { hasOwnAudio } from '../catalog/index.ts';
import { requireQuota } from '../quotas/index.ts';
import {
  announceTrack,
  type EnsuredTrack,
  ensureTrack,
  ensureTracks,
  requireQuotaForTrack,
  trackIdOf,
  trackKind,
  trackSubject,
} from '../tracks/index.ts';
import { type DownloadSource, type downloadArgs, storedDownloadArgs } from './download-args.ts';
import { expectedDownloadBytes } from './expected-bytes.ts';

/** Result of a request for one track. */
export interface AcceptedDownload {
  readonly track_id: string;
  readonly job_id: string | null;
  readonly status: JobStatus;
  /** Whether the track existed before. */
  readonly existing: boolean;
  /** Whether this request created the track or a job for it. */
  readonly created: boolean;
}

/** Returns the result of a request for the audio of a track. */
function answerOf(
  { track, created }: EnsuredTrack,
  job: JobRow | null,
  status: JobStatus,
  isNewJob: boolean,
): AcceptedDownload {
  return {
    track_id: track.id,
    job_id: job?.id ?? null,
    status,
    existing: !created,
    created: isNewJob,
  };
}

/**
 * Returns the result for a track whose audio is stored or being downloaded in this quality. Null where a download has to
 * be requested.
 */
function answerOfKnown(
  db: Db,
  ensured: EnsuredTrack,
  newest: JobRow | null,
  quality: DownloadQuality,
): AcceptedDownload | null {
  const { track, created } = ensured;
  if (created) return null;
  if (newest && !finishedStatuses.includes(newest.status)) {
    // A running download of another quality is another request; the newest one decides what the track plays.
    const running = storedDownloadArgs.read(db, newest.args, newest.id)?.quality;
    return running === quality ? answerOf(ensured, newest, newest.status, false) : null;
  }
  if (track.audio_source_id !== null && track.quality === quality)
    return answerOf(ensured, newest, 'completed', false);
  return null;
}

function requestFor(
  { track }: EnsuredTrack,
  source: DownloadSource,
  quality: DownloadQuality,
  batchId: string | null,
): JobRequest {
  return {
    type: 'download',
    user_id: track.user_id,
    subject: trackSubject(track.id),
    args: { source, quality } satisfies z.input<typeof downloadArgs>,
    expected_bytes: expectedDownloadBytes(source, track.duration_ms, {
      quality,
      isKnown: track.audio_source_id !== null,
    }),
    batch_id: batchId,
  };
}

const sourceOf = (track: CatalogTrack): DownloadSource => ({
  kind: hasOwnAudio(track) ? 'catalog' : 'search',
  catalog_id: track.catalog_id,
});

/**
 * Ensures the download of a track. Returns the running one, none when its audio is stored already, or a new one.
 *
 * @param receivedBytes size of an uploaded file, which is not charged yet
 * @throws `QUOTA_EXCEEDED`
 */
export async function ensureDownload(
  context: Context,
  tx: Tx,
  ensured: EnsuredTrack,
  source: DownloadSource,
  quality: DownloadQuality,
  receivedBytes = 0,
): Promise<AcceptedDownload> {
  const { track, created } = ensured;
  const newest = created
    ? null
    : ((await newestJobs(tx, trackKind, [track.id])).get(track.id)?.download ?? null);
  const known = answerOfKnown(tx, ensured, newest, quality);
  if (known) {
    if (newest) await promoteJob(context, tx, newest);
    return known;
  }
  const request = requestFor(ensured, source, quality, null);
  await requireQuotaForTrack(context, tx, track, {
    what: source.kind === 'upload' ? 'this file' : 'this song',
    bytes: (request.expected_bytes ?? 0) + receivedBytes,
    newTracks: created || ensured.restored ? 1 : 0,
    jobs: 1,
  });
  const job = await requestJob(context, tx, request);
  await announceTrack(tx, track.id, created ? 'track_created' : 'track_updated');
  return answerOf(ensured, job, job.status, true);
}

/** Imports one catalog track: the record, and a download unless its audio is stored already. */
export function importTrack(
  context: Context,
  viewer: Viewer,
  track: CatalogTrack,
  quality: DownloadQuality,
): Promise<AcceptedDownload> {
  return context.db.transaction().execute(async (tx) => {
    const ensured = await ensureTrack(context, tx, { userId: viewer.id, source: 'catalog', fields: track });
    return ensureDownload(context, tx, ensured, sourceOf(track), quality);
  });
}

/** Results of a list of tracks, in the order of the list. */
export interface ImportedTracks {
  readonly items: AcceptedDownload[];
  /** Number of tracks that were created or restored. */
  readonly changed: number;
  /** Number of requested downloads. */
  readonly asked: number;
}

/**
 * Imports many tracks at once, with their downloads as one batch, in a few statements of the caller's transaction.
 * Publishes no events: the caller publishes one for all tracks. See {@link importTrack}.
 */
export async function importTracks(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  tracks: readonly CatalogTrack[],
  quality: DownloadQuality,
  batchId: string,
): Promise<ImportedTracks> {
  const ensured = await ensureTracks(
    context,
    tx,
    tracks.map((track) => ({ userId: viewer.id, source: 'catalog', fields: track })),
  );
  const known = await newestJobs(
    tx,
    trackKind,
    ensured.filter(({ created }) => !created).map(({ track }) => track.id),
  );
  const answers = ensured.map((one) =>
    answerOfKnown(tx, one, known.get(one.track.id)?.download ?? null, quality),
  );
  const requests = new Map<string, JobRequest>();
  for (const [index, track] of tracks.entries()) {
    const one = ensured[index];
    // A track that occurs twice in the list is downloaded once.
    if (!one || answers[index] || requests.has(one.track.id)) continue;
    requests.set(one.track.id, requestFor(one, sourceOf(track), quality, batchId));
  }
  if (requests.size > 0) {
    await requireQuota(context, tx, viewer.id, {
      what: 'this import',
      bytes: [...requests.values()].reduce((sum, { expected_bytes = 0 }) => sum + expected_bytes, 0),
      newTracks: ensured.filter(({ created, restored }) => created || restored).length,
      jobs: requests.size,
    });
  }
  const jobs = await requestJobs(context, tx, [...requests.values()]);
  const jobOf = new Map(jobs.map((job) => [trackIdOf(job), job]));
  const reportedJobs = new Set<string>();
  const items = ensured.map((one, index) => {
    const job = jobOf.get(one.track.id) ?? null;
    const isNewJob = job !== null && !reportedJobs.has(job.id);
    if (job) reportedJobs.add(job.id);
    return answers[index] ?? answerOf(one, job, job?.status ?? 'queued', isNewJob);
  });
  const changed = ensured.filter(({ created, restored }) => created || restored).length;
  return { items, changed, asked: jobs.length };
}
