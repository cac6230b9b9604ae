import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { listJobs as listJobsEndpoint } from '@stem-studio/contract/endpoints/jobs';
import { metaFor } from '@stem-studio/contract/envelope';
import type { Job } from '@stem-studio/contract/resources/job';
import type { Context } from '../../platform/context.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { asReadable, own, type Readable } from '../../platform/owned.ts';
import { countJobs, findJob, listJobs } from '../../platform/queue/jobs.store.ts';
import { cancelJob, requestJobOnce } from '../../platform/queue/jobs.ts';
import { findOwnedTrack, findTrack, listTitles, requireRoomForTrack } from '../tracks/index.ts';

/** A job as the service shows it. */
export function presentJob(row: JobRow, title: string): Job {
  return {
    id: row.id,
    type: row.type,
    track_id: row.track_id,
    track_title: title,
    import_id: row.batch_id,
    status: row.status,
    progress: row.progress,
    message: row.message,
    eta_seconds: row.eta_seconds,
    error: row.error,
    attempt: row.attempt,
    max_attempts: row.max_attempts,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** A job that the caller may look at. Throws `NOT_FOUND`. */
async function getReadableJob(context: Context, viewer: Viewer, id: string): Promise<Readable<JobRow>> {
  const row = asReadable(viewer, await findJob(context.db, id));
  if (!row) throw notFound('job');
  return row;
}

/** A job of any kind as the service shows it. Throws `NOT_FOUND`. */
export async function showJob(context: Context, viewer: Viewer, id: string): Promise<Job> {
  const row = await getReadableJob(context, viewer, id);
  const titles = await listTitles(context.db, [row.track_id]);
  return presentJob(row, titles.get(row.track_id) ?? '');
}

/** A page of the caller's jobs, newest first. */
export async function showJobs(
  context: Context,
  viewer: Viewer,
  query: HandlerInput<typeof listJobsEndpoint>['query'],
) {
  const filter = {
    user_id: viewer.id,
    type: query.type,
    statuses: query.status,
    track_id: query.track_id,
    batch_id: query.import_id,
  };
  const offset = (query.page - 1) * query.page_size;
  const [rows, totalCount] = await Promise.all([
    listJobs(context.db, { ...filter, limit: query.page_size, offset }),
    countJobs(context.db, filter),
  ]);
  const titles = await listTitles(
    context.db,
    rows.map((row) => row.track_id),
  );
  return {
    data: rows.map((row) => presentJob(row, titles.get(row.track_id) ?? '')),
    meta: metaFor(query.page, query.page_size, totalCount),
  };
}

/**
 * Ends a pending or running job; an admin may end anybody's. Throws `NOT_FOUND`, or `JOB_NOT_CANCELLABLE` for a
 * finished one.
 */
export async function endJob(context: Context, viewer: Viewer, id: string): Promise<void> {
  const job = await getReadableJob(context, viewer, id);
  if (!(await cancelJob(context, job.id))) {
    const { status } = (await findJob(context.db, id)) ?? job;
    throw stateForbids(
      'JOB_NOT_CANCELLABLE',
      `only a pending or running job can be cancelled (this one is ${status})`,
    );
  }
}

/**
 * Asks again for the work of a failed job of the caller's own; where the same is waiting or running already, that one
 * is the answer. Throws `NOT_FOUND`, `JOB_NOT_RETRYABLE`, `TRACK_NOT_DOWNLOADED`, `QUOTA_EXCEEDED`.
 */
export async function retryJob(
  context: Context,
  viewer: Viewer,
  id: string,
): Promise<{ readonly job: Job; readonly existing: boolean }> {
  const job = own(viewer, await findJob(context.db, id));
  if (!job) throw notFound('job');
  if (job.status !== 'failed') {
    throw stateForbids('JOB_NOT_RETRYABLE', `only a failed job can be run again (this one is ${job.status})`);
  }
  const track = await findOwnedTrack(context.db, viewer, job.track_id);
  if (job.type !== 'download' && !track.audio) {
    throw stateForbids('TRACK_NOT_DOWNLOADED', 'the track has no sound: retry its download first');
  }
  const asked = JSON.stringify(job.args);
  const again = await context.db.transaction().execute((tx) =>
    requestJobOnce(
      context,
      tx,
      {
        type: job.type,
        user_id: job.user_id,
        track_id: job.track_id,
        args: job.args,
        expected_bytes: job.expected_bytes,
      },
      (other) => JSON.stringify(other.args) === asked,
      (locked) =>
        requireRoomForTrack(context, locked, track, {
          what: 'this job',
          bytes: job.expected_bytes,
          jobs: 1,
          stemSets: job.type === 'processing' ? 1 : 0,
        }),
    ),
  );
  return { job: presentJob(again.job, track.title), existing: again.existing };
}

/** The state of a job for whoever joins its topic; null for what they may not see. */
export async function watchJob(context: Context, viewer: Viewer, id: string): Promise<JobRow | null> {
  const row = asReadable(viewer, await findJob(context.db, id));
  return row && (await findTrack(context.db, row.track_id)) ? row : null;
}
