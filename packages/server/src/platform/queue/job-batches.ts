import { cancelledError } from '@stem-studio/contract/resources/job';
import type { Context } from '../../context.ts';
import type { Tx } from '../db/database.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { BusMessage } from '../socket/bus.ts';
import { announceAll } from '../socket/publish.ts';
import { subjectColumns } from './job-subject.ts';
import { insertJobs, lockUnfinishedBatch, lockUnfinishedOf, updateJobs } from './jobs.store.ts';
import { cancelTopic, type JobRequest } from './jobs.ts';
import { orderJobs } from './queue-order.ts';

/**
 * Asks for many pieces of work at once, in a few statements: rows and places in the queue come into being with the
 * caller's transaction, or not at all. Nobody can watch these jobs yet; that they are there the caller tells.
 */
export async function requestJobs(
  context: Context,
  tx: Tx,
  requests: readonly JobRequest[],
): Promise<JobRow[]> {
  if (requests.length === 0) return [];
  const now = context.clock.now();
  const orders = await orderJobs(context, tx, requests);
  const rows = await insertJobs(
    tx,
    requests.map((request, index) => {
      const worker = context.queue.workerOf(request.type);
      return {
        ...orders[index],
        id: request.id ?? newId(),
        type: request.type,
        user_id: request.user_id,
        ...subjectColumns(request.subject),
        args: worker.args.toStored(request.args) as JobRow['args'],
        batch_id: request.batch_id ?? null,
        expected_bytes: request.expected_bytes ?? 0,
        message: worker.queuedMessage ?? 'waiting for its turn',
        max_attempts: worker.attempts,
        created_at: now,
        queue_id: newId(),
      };
    }),
  );
  await context.queue.sendAll(tx, rows);
  return rows;
}

/**
 * Ends every unfinished job of a batch: `failed` with the error `cancelled`, out of line, whoever watches one of them
 * told, and whoever works on one interrupted. Unlike with a single job its worker's `failed` is not asked, and the
 * owner's library is not told job by job: both is the caller's, who knows what the batch is. Answers how many it were.
 */
export async function cancelBatch(context: Context, tx: Tx, batchId: string): Promise<number> {
  return cancelLocked(context, tx, await lockUnfinishedBatch(tx, batchId));
}

/**
 * Ends every unfinished job of a user as {@link cancelBatch} does those of a batch, and what a job that completes
 * meanwhile has asked for. Answers how many it were.
 */
export async function cancelJobsOf(context: Context, tx: Tx, userId: number): Promise<number> {
  for (let count = 0; ; ) {
    const jobs = await lockUnfinishedOf(tx, userId);
    if (jobs.length === 0) return count;
    count += await cancelLocked(context, tx, jobs);
  }
}

async function cancelLocked(context: Context, tx: Tx, jobs: readonly JobRow[]): Promise<number> {
  if (jobs.length === 0) return 0;
  await context.queue.dropAll(tx, jobs);
  const rows = await updateJobs(
    tx,
    jobs.map(({ id }) => id),
    {
      status: 'failed',
      error: cancelledError,
      message: '',
      eta_seconds: null,
      lease_id: null,
      queue_id: null,
      finished_at: context.clock.now(),
    },
  );
  await emit(context, tx, 'jobs.cancelled', { jobs: rows });
  const running = jobs.filter(({ lease_id }) => lease_id !== null);
  await announceAll(
    tx,
    running.map(({ id }): BusMessage => ({ topic: cancelTopic, event: 'cancel', payload: { job_id: id } })),
  );
  return rows.length;
}
