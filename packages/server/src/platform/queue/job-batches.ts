import { cancelledError } from '@stem-studio/contract/resources/job';
import type { Context } from '../context.ts';
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
 * Requests many jobs with a few statements in the caller's transaction. Emits no event per job: the caller reports the
 * batch.
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
        message: worker.queuedMessage ?? 'waiting for other jobs to finish',
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
 * Cancels every unfinished job of a batch and interrupts their attempts. Unlike the cancel of a single job it does not
 * call the worker's `failed` and emits one event for all: the caller handles both. Returns the number of jobs.
 */
export async function cancelBatch(context: Context, tx: Tx, batchId: string): Promise<number> {
  return cancelLocked(context, tx, await lockUnfinishedBatch(tx, batchId));
}

/**
 * Cancels every unfinished job of a user like {@link cancelBatch}. Includes jobs that completing jobs request
 * meanwhile. Returns the number of jobs.
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
