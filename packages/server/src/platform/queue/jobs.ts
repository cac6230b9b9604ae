import { cancelledError } from '@stem-studio/contract/resources/job';
import type { JobType } from '@stem-studio/contract/states';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tx } from '../db/database.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import { announce } from '../socket/publish.ts';
import { type JobSubject, subjectColumns, subjectOf } from './job-subject.ts';
import { insertJob, listJobs, lockUnfinishedJob, lockWaitingJob, updateJob } from './jobs.store.ts';
import { orderJobs } from './queue-order.ts';

/** Internal topic that tells running attempts of a cancel. No channel has a topic of this form. */
export const cancelTopic = 'system:jobs';

/** Work to ask for. */
export interface JobRequest {
  type: JobType;
  user_id: number;
  /** What it is about; null for a job without a subject. */
  subject: JobSubject | null;
  /** Arguments as the worker's schema reads them. */
  args: Record<string, unknown>;
  /** What it is asked for together with. */
  batch_id?: string | null;
  /** Job whose completion asks for this one: it has the class of that job. */
  follows?: string;
  /** Bytes that it is expected to add to its user's storage; none unless given. */
  expected_bytes?: number;
  /** A new uuid unless given. */
  id?: string;
}

/** How a request of a feature comes about. */
export interface RequestOptions {
  /** Job whose completion asks for it; left out where a person does. */
  readonly follows?: string;
  /** Called before a new job is written; what it throws refuses the job. */
  readonly admit?: (tx: Tx) => Promise<void>;
}

/**
 * Lets one transaction at a time request work of this type on a subject, until it ends. Whoever requests work only if
 * the same is not requested yet calls this before looking.
 */
async function lockRequests(tx: Tx, { type, subject, user_id }: JobRequest): Promise<void> {
  const key = subject ? `${type} ${subject.id}` : `${type} of user ${user_id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

/** Asks for work: our row and its place in the queue come into being with the caller's transaction, or not at all. */
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
    message: worker.queuedMessage ?? 'waiting for its turn',
    max_attempts: worker.attempts,
    created_at: context.clock.now(),
  });
  await emit(context, tx, 'job.changed', { job: row });
  return context.queue.send(tx, row);
}

/** A job that will do what was asked, and whether it had been asked before. */
export interface AcceptedJob {
  readonly job: JobRow;
  readonly existing: boolean;
}

/**
 * Asks for work unless the same is still waiting or running for the track, however many ask at the same moment.
 *
 * @param isSame whether an unfinished job of the type and track does what is asked
 * @param admit called before a new job is written; what it throws refuses the job
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
 * Moves a waiting job of a batch to where its user's single requests stand: the user asks for it by itself now. Any other
 * job stays as it is.
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
 * Fails a job for good, whoever works on it, in the caller's transaction: takes it out of line, lets its worker tidy
 * up, tells its owner. The caller has locked the row.
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

/** {@link cancelJob} in the caller's transaction. */
export async function cancelJobIn(context: Context, tx: Tx, jobId: string): Promise<boolean> {
  const job = await lockUnfinishedJob(tx, jobId);
  if (!job) return false;
  await failJob(context, tx, job, cancelledError);
  await announce(tx, { topic: cancelTopic, event: 'cancel', payload: { job_id: jobId } });
  return true;
}

/**
 * Ends a pending or a running job: it is `failed` with the error `cancelled` at once, and whoever works on it hears it
 * within a second. False when it was finished already, or is not there.
 */
export async function cancelJob(context: Context, jobId: string): Promise<boolean> {
  return context.db.transaction().execute((tx) => cancelJobIn(context, tx, jobId));
}
