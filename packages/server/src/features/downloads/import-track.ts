import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import { finishedStatuses, type JobStatus } from '@stem-studio/contract/states';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/tables.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newestJobs } from '../../platform/queue/jobs.store.ts';
import { requestJob } from '../../platform/queue/jobs.ts';
import { hasOwnSound } from '../catalog/index.ts';
import { announceTrack, type EnsuredTrack, ensureTrack } from '../tracks/index.ts';
import type { DownloadSource, downloadArgs } from './download-args.ts';

/** What became of one track that was asked for. */
export interface AcceptedDownload {
  readonly track_id: string;
  readonly job_id: string | null;
  readonly status: JobStatus;
  /** Whether the track was there before. */
  readonly existing: boolean;
  /** Whether this request made something: the track, or a job for it. */
  readonly created: boolean;
}

/** An ensured track's download: the one under way, none when its sound is there already, or a new one. */
export async function ensureDownload(
  context: Context,
  tx: Tx,
  ensured: EnsuredTrack,
  source: DownloadSource,
  quality: DownloadQuality,
  batchId: string | null = null,
): Promise<AcceptedDownload> {
  const { track, created } = ensured;
  const answer = (job: JobRow | null, status: JobStatus, isNewJob: boolean): AcceptedDownload => ({
    track_id: track.id,
    job_id: job?.id ?? null,
    status,
    existing: !created,
    created: isNewJob,
  });
  if (!created) {
    const newest = (await newestJobs(tx, [track.id])).get(track.id)?.download ?? null;
    if (newest && !finishedStatuses.includes(newest.status)) return answer(newest, newest.status, false);
    if (track.audio_source_id !== null && track.quality === quality)
      return answer(newest, 'completed', false);
  }
  const job = await requestJob(context, tx, {
    type: 'download',
    user_id: track.user_id,
    track_id: track.id,
    args: { source, quality } satisfies z.input<typeof downloadArgs>,
    batch_id: batchId,
  });
  await announceTrack(tx, track.id, created ? 'track_created' : 'track_updated');
  return answer(job, job.status, true);
}

/** Imports one catalog track: the record, and a download unless its sound is there already. */
export function importTrack(
  context: Context,
  viewer: Viewer,
  track: CatalogTrack,
  quality: DownloadQuality,
): Promise<AcceptedDownload> {
  return context.db.transaction().execute((tx) => importTrackIn(context, tx, viewer, track, quality, null));
}

/** {@link importTrack} in the caller's transaction, its download as one of a batch where one is named. */
export async function importTrackIn(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  track: CatalogTrack,
  quality: DownloadQuality,
  batchId: string | null,
): Promise<AcceptedDownload> {
  const ensured = await ensureTrack(context, tx, { userId: viewer.id, source: 'catalog', fields: track });
  const kind = hasOwnSound(track) ? 'catalog' : 'search';
  const source: DownloadSource = { kind, catalog_id: track.catalog_id };
  return ensureDownload(context, tx, ensured, source, quality, batchId);
}
