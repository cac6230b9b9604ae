import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { listJobs as listJobsEndpoint } from '@stem-studio/contract/endpoints/jobs';
import { metaFor } from '@stem-studio/contract/envelope';
import type { Job } from '@stem-studio/contract/resources/job';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findPermittedJob, requireRetryable } from '../../platform/queue/job-access.ts';
import { subjectOf } from '../../platform/queue/job-subject.ts';
import { countJobs, findJob, listJobs } from '../../platform/queue/jobs.store.ts';
import { cancelJob, requestJobOnce } from '../../platform/queue/jobs.ts';
import { requireQuota } from '../quotas/index.ts';
import { listTitles, requireQuotaForTrack, trackIdOf, trackSubject } from '../tracks/index.ts';

function presentJob(row: JobRow, title: string): Job {
  return {
    id: row.id,
    type: row.type,
    track_id: trackIdOf(row),
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

/** Returns jobs as the API presents them, in their order; `track_title` is empty for a job without a track. */
export async function presentJobs(db: Db | Tx, rows: readonly JobRow[]): Promise<Job[]> {
  const trackIds = rows.flatMap((row) => trackIdOf(row) ?? []);
  const titles = await listTitles(db, trackIds);
  return rows.map((row) => presentJob(row, titles.get(trackIdOf(row) ?? '') ?? ''));
}

async function presentOne(db: Db | Tx, row: JobRow): Promise<Job> {
  const [job] = await presentJobs(db, [row]);
  if (!job) throw notFound('job');
  return job;
}

/** Returns a job of any kind as the API presents it. Throws `NOT_FOUND`. */
export async function showJob(context: Context, viewer: Viewer, id: string): Promise<Job> {
  const row = await findPermittedJob(context, viewer, id, 'read');
  if (!row) throw notFound('job');
  return presentOne(context.db, row);
}

/** Returns a page of the caller's jobs, newest first. */
export async function showJobs(
  context: Context,
  viewer: Viewer,
  query: HandlerInput<typeof listJobsEndpoint>['query'],
) {
  const filter = {
    user_id: viewer.id,
    type: query.type,
    statuses: query.status,
    subject: query.track_id === undefined ? undefined : trackSubject(query.track_id),
    batch_id: query.import_id,
  };
  const offset = (query.page - 1) * query.page_size;
  const [rows, totalCount] = await Promise.all([
    listJobs(context.db, { ...filter, limit: query.page_size, offset }),
    countJobs(context.db, filter),
  ]);
  return {
    data: await presentJobs(context.db, rows),
    meta: metaFor(query.page, query.page_size, totalCount),
  };
}

/**
 * Cancels a waiting or running job; an admin may cancel any job. Throws `NOT_FOUND`, or `JOB_NOT_CANCELLABLE` for a
 * finished one.
 */
export async function endJob(context: Context, viewer: Viewer, id: string): Promise<void> {
  const job = await findPermittedJob(context, viewer, id, 'cancel');
  if (!job) throw notFound('job');
  if (!(await cancelJob(context, job.id))) {
    const { status } = (await findJob(context.db, id)) ?? job;
    throw stateForbids(
      'JOB_NOT_CANCELLABLE',
      `only a pending or running job can be cancelled (this one is ${status})`,
    );
  }
}

/**
 * Requests the work of a failed job of the caller again, or returns the job that is already doing it. Throws
 * `NOT_FOUND`, `JOB_NOT_RETRYABLE`, `TRACK_NOT_DOWNLOADED`, `QUOTA_EXCEEDED`.
 */
export async function retryJob(
  context: Context,
  viewer: Viewer,
  id: string,
): Promise<{ readonly job: Job; readonly existing: boolean }> {
  const job = await findPermittedJob(context, viewer, id, 'retry');
  if (!job) throw notFound('job');
  if (job.status !== 'failed') {
    throw stateForbids('JOB_NOT_RETRYABLE', `only a failed job can be run again (this one is ${job.status})`);
  }
  await requireRetryable(context, viewer, job);
  const args = argsOf(context, job);
  const asked = JSON.stringify(args);
  const again = await context.db.transaction().execute((tx) =>
    requestJobOnce(
      context,
      tx,
      {
        type: job.type,
        user_id: job.user_id,
        subject: subjectOf(job),
        args,
        expected_bytes: job.expected_bytes,
      },
      (other) => JSON.stringify(argsOf(context, other)) === asked,
      (locked) => {
        const need = {
          what: 'this job',
          bytes: job.expected_bytes,
          jobs: 1,
          stemSets: job.type === 'processing' ? 1 : 0,
        };
        const trackId = trackIdOf(job);
        return trackId === null
          ? requireQuota(context, locked, job.user_id, need)
          : requireQuotaForTrack(context, locked, { id: trackId, user_id: job.user_id }, need);
      },
    ),
  );
  return { job: await presentOne(context.db, again.job), existing: again.existing };
}

/** Returns the arguments of a job in their current version, or as stored if they cannot be read. */
function argsOf(context: Context, { type, args }: JobRow): JobRow['args'] {
  const parsed = context.queue.workerOf(type).args.parse(args);
  return parsed.kind === 'readable' ? (parsed.value as JobRow['args']) : args;
}
