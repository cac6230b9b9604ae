import { cancelledError } from '@stem-studio/contract/resources/job';
import type { JobType } from '@stem-studio/contract/states';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import { announce } from '../socket/publish.ts';
import { type JobSubject, subjectColumns, subjectOf } from './job-subject.ts';
import { insertJob, listJobs, lockUnfinishedJob, lockWaitingJob, updateJob } from './jobs.store.ts';
import { orderJobs } from './queue-order.ts';

/** Internal topic that interrupts running attempts of cancelled jobs. No channel uses a topic of this form. */
export const cancelTopic = 'system:jobs';

/** Request for a job. */
export interface JobRequest {
  type: JobType;
  user_id: number;
  /** Row that the job refers to; null for a job without a subject. */
  subject: JobSubject | null;
  /** Arguments in the current version of the worker's definition. */
  args: Record<string, unknown>;
  /** Id that all jobs of one import share. */
  batch_id?: string | null;
  /** Id of the job whose completion requests this one. The new job inherits its queue class. */
  follows?: string;
  /** Expected number of bytes that the job adds to the user's storage. Default: 0. */
  expected_bytes?: number;
  /** Id of the job. Default: a new UUID. */
  id?: string;
}

/** Options of a feature's request for a job. */
export interface RequestOptions {
  /** Id of the job whose completion causes the request. Undefined for a request of the user. */
  readonly follows?: string;
  /** Runs before a new job is inserted. An error that it throws rejects the request. */
  readonly admit?: (tx: Tx) => Promise<void>;
}

/**
 * Serialises requests for the same type of work on a subject until the transaction ends. Must be called before the
 * check whether the same work is already requested.
 */
async function lockRequests(tx: Tx, { type, subject, user_id }: JobRequest): Promise<void> {
  const key = subject ? `${type} ${subject.id}` : `${type} of user ${user_id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

/** Requests a job: inserts its row and its queue entry in the caller's transaction. */
export async function requestJob(context: Context, tx: Tx, request: JobRequest): Promise<JobRow> {
  const worker = context.queue.workerOf(request.type);
  const [order] = await orderJobs(context, tx, [request]);
  const row = await insertJob(tx, {
    ...order,
    id: request.id ?? newId(),
    type: request.type,
    user_id: request.user_id,
    ...subjectColumns(request.subject),
    args: worker.args.toStored(request.args) as JobRow['args'],
    batch_id: request.batch_id ?? null,
    expected_bytes: request.expected_bytes ?? 0,
    message: worker.queuedMessage ?? 'waiting for other jobs to finish',
    max_attempts: worker.attempts,
    created_at: context.clock.now(),
  });
  await emit(context, tx, 'job.changed', { job: row });
  return context.queue.send(tx, row);
}

/** The job that does the requested work, and whether it existed before the request. */
export interface AcceptedJob {
  readonly job: JobRow;
  readonly existing: boolean;
}

/**
 * Requests a job unless the same work is already queued or running for the subject. Without a subject, the user's jobs
 * are compared. Concurrent requests lead to one job.
 *
 * @param isSame returns whether an unfinished job of the same type and subject does the requested work
 * @param admit runs before a new job is inserted; an error that it throws rejects the request
 */
export async function requestJobOnce(
  context: Context,
  tx: Tx,
  request: JobRequest,
  isSame: (job: JobRow) => boolean,
  admit?: (tx: Tx) => Promise<void>,
): Promise<AcceptedJob> {
  await lockRequests(tx, request);
  const { type, subject, user_id } = request;
  const jobs = await listJobs(tx, { type, subject, ...(!subject && { user_id }) });
  const same = jobs.find((job) => job.finished_at === null && isSame(job));
  if (same) {
    const isInteractive = !request.batch_id && !request.follows;
    return { job: isInteractive ? await promoteJob(context, tx, same) : same, existing: true };
  }
  await admit?.(tx);
  return { job: await requestJob(context, tx, request), existing: false };
}

/**
 * Moves a queued batch job to the interactive class, because its user now requests it individually. Returns any other
 * job unchanged.
 */
export async function promoteJob(context: Context, tx: Tx, job: JobRow): Promise<JobRow> {
  if (job.status !== 'queued' || job.queue_class === 'interactive') return job;
  const waiting = await lockWaitingJob(tx, job.id);
  if (!waiting) return job;
  const { type, user_id, args } = waiting;
  const [order] = await orderJobs(context, tx, [{ type, user_id, subject: subjectOf(waiting), args }]);
  return context.queue.send(tx, await updateJob(tx, waiting.id, { ...order }));
}

/**
 * Fails a job in the caller's transaction. Removes it from the queue, runs the cleanup of its worker and emits the
 * change. The caller must have locked the row.
 */
export async function failJob(context: Context, tx: Tx, job: JobRow, error: string): Promise<JobRow> {
  await context.queue.drop(tx, job);
  const row = await updateJob(tx, job.id, {
    status: 'failed',
    error,
    message: '',
    eta_seconds: null,
    lease_id: null,
    queue_id: null,
    finished_at: context.clock.now(),
  });
  const worker = context.queue.workerOf(row.type);
  const args = worker.args.parse(row.args);
  if (worker.failed && args.kind === 'readable') {
    const run = {
      jobId: row.id,
      subject: subjectOf(row),
      userId: row.user_id,
      attempt: row.attempt,
      maxAttempts: row.max_attempts,
    };
    await worker.failed(args.value, run, context, tx, error);
  }
  await emit(context, tx, 'job.changed', { job: row });
  return row;
}

/** Cancels a job like {@link cancelJob}, in the caller's transaction. */
export async function cancelJobIn(context: Context, tx: Tx, jobId: string): Promise<boolean> {
  const job = await lockUnfinishedJob(tx, jobId);
  if (!job) return false;
  await failJob(context, tx, job, cancelledError);
  await announce(tx, { topic: cancelTopic, event: 'cancel', payload: { job_id: jobId } });
  return true;
}

/**
 * Cancels a queued or running job. The job is `failed` with the error `cancelled` at once, and its attempt is
 * interrupted within a second. Returns false if the job is finished or missing.
 */
export async function cancelJob(context: Context, jobId: string): Promise<boolean> {
  return context.db.transaction().execute((tx) => cancelJobIn(context, tx, jobId));
}
