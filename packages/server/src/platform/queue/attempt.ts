import { pause, systemClock } from '../clock.ts';
import type { Context } from '../context.ts';
import { isDatabaseUnavailable, isTransactionConflict } from '../db/connection.ts';
import type { Tx } from '../db/database.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { isRetryable, messageOf } from '../errors.ts';
import { emit } from '../events.ts';
import { fullDiskSentence } from '../full-disk.ts';
import { chance, newId } from '../ids.ts';
import { failureSentence, unreadableArgs } from './failure-sentence.ts';
import { chargeShare } from './fair-share.store.ts';
import { subjectOf } from './job-subject.ts';
import { type JobChange, lockUnfinishedJob, updateJob } from './jobs.store.ts';
import { failJob } from './jobs.ts';
import { createReporter } from './reporter.ts';
import type { Verdict } from './verdict.ts';
import type { Worker } from './worker.ts';

/** A queue entry to run. */
export interface AttemptOptions {
  readonly context: Context;
  readonly worker: Worker;
  readonly jobId: string;
  readonly queueId: string;
  /** Aborted by a cancel, by a stop of the service, and when the lease is lost. */
  readonly interrupt: AbortController;
  /** Aborts with `interrupt`, and when pg-boss has given the job to another process. */
  readonly signal: AbortSignal;
}

/**
 * Returns the delay before the next attempt, in seconds: 2 s, doubled each time, at most a minute. A random jitter
 * shortens it by up to 25 %.
 */
export function backoffSeconds(failedAttempts: number, fraction = chance()): number {
  return Math.min(60, 2 ** failedAttempts) * (0.75 + fraction / 4);
}

/** Grace period of a worker that ignores its signal, in ms. */
const gracePeriodMs = 4000;
/** Time for which an outcome waits for an unavailable database, in ms. */
const longestSettleMs = 120_000;

/**
 * Runs one attempt at a job, from lease to outcome. The outcome is stored in one transaction that requires the lease,
 * so an attempt that lost its lease changes nothing. Throws only if the job could not be started.
 */
export async function runAttempt(options: AttemptOptions): Promise<void> {
  const { context, worker, interrupt, signal } = options;
  const started = await startAttempt(options);
  if (!started) return;
  const { job, args, leaseId } = started;
  const log = context.log.child({ job_id: job.id, type: job.type, attempt: job.attempt });
  const reporter = createReporter(context, job, leaseId, () =>
    interrupt.abort(new Error('another process has claimed the job')),
  );
  const run = {
    jobId: job.id,
    subject: subjectOf(job),
    userId: job.user_id,
    attempt: job.attempt,
    maxAttempts: job.max_attempts,
    leaseId,
    expectedBytes: job.expected_bytes,
    signal,
    report: reporter.report,
  };
  log.info('the job begins');
  const startedMs = context.clock.monotonicMs();
  let outcome: Outcome;
  try {
    outcome = { verdict: await withGracePeriod(worker.perform(args, run, context), signal) };
  } catch (error) {
    outcome = { error };
    const full = fullDiskSentence(error);
    // The database needs space to store the outcome.
    if (full !== null) await context.disk.giveUpReserve(full);
  }
  await reporter.end();
  const ending = await settle(options, job, leaseId, outcome);
  log.info({ outcome: ending, ms: Math.round(context.clock.monotonicMs() - startedMs) }, 'the job ends');
  if ('error' in outcome && !signal.aborted) log.warn({ err: outcome.error }, 'the attempt failed');
}

type Outcome = { readonly verdict: Verdict } | { readonly error: unknown };

async function withGracePeriod(performing: Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  const given = new AbortController();
  const overdue = new Promise<never>((_resolve, reject) => {
    const late = () => {
      void pause(gracePeriodMs, given.signal).then(() => reject(signal.reason));
    };
    if (signal.aborted) late();
    else signal.addEventListener('abort', late, { once: true, signal: given.signal });
  });
  try {
    return await Promise.race([performing, overdue]);
  } finally {
    given.abort();
    // The losing promise of the race must not cause an unhandled rejection.
    overdue.catch(() => undefined);
    performing.catch(() => undefined);
  }
}

interface StartedAttempt {
  readonly job: JobRow;
  readonly args: unknown;
  readonly leaseId: string;
}

async function startAttempt({
  context,
  worker,
  jobId,
  queueId,
}: AttemptOptions): Promise<StartedAttempt | null> {
  return context.db.transaction().execute(async (tx) => {
    const job = await lockUnfinishedJob(tx, jobId);
    // The job is finished, or has a newer queue entry.
    if (job?.queue_id !== queueId) return null;
    if (job.attempt >= job.max_attempts) {
      const times = job.attempt === 1 ? 'once' : `${job.attempt} times`;
      await failJob(
        context,
        tx,
        job,
        `the work on this was interrupted ${times}, which is as often as it is tried`,
      );
      return null;
    }
    const args = worker.args.read(tx, job.args, job.id);
    if (args === null) {
      await failJob(context, tx, job, unreadableArgs);
      return null;
    }
    const leaseId = newId();
    const row = await updateJob(tx, job.id, {
      status: worker.runningStatus,
      attempt: job.attempt + 1,
      progress: 0,
      message: '',
      eta_seconds: null,
      lease_id: leaseId,
      started_at: job.started_at ?? context.clock.now(),
    });
    // A job that was requeued without counting the attempt was charged at its first start.
    if (job.started_at === null || job.attempt > 0) await chargeShare(tx, row);
    await emit(context, tx, 'job.changed', { job: row });
    return { job: row, args, leaseId };
  });
}

/** Stores the outcome of the attempt and returns its name for the log. Retries while the database is unavailable. */
async function settle(
  options: AttemptOptions,
  job: JobRow,
  leaseId: string,
  outcome: Outcome,
): Promise<string> {
  const { context } = options;
  const deadline = systemClock.monotonicMs() + longestSettleMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(2000, pauseMs * 2)) {
    try {
      return await context.db.transaction().execute(async (tx) => {
        const now = await lockUnfinishedJob(tx, job.id);
        if (now?.lease_id !== leaseId) return 'no longer ours';
        if ('verdict' in outcome) return settleVerdict(context, tx, now, outcome.verdict);
        return settleError(options, tx, now, outcome.error);
      });
    } catch (error) {
      if (!isDatabaseUnavailable(error)) {
        // The results of the verdict could not be stored: the attempt has failed.
        if ('verdict' in outcome) return settle(options, job, leaseId, { error });
        throw error;
      }
      if (systemClock.monotonicMs() > deadline) throw error;
      await pause(pauseMs);
    }
  }
}

async function settleVerdict(context: Context, tx: Tx, job: JobRow, verdict: Verdict): Promise<string> {
  if (verdict.kind === 'fail') {
    await failJob(context, tx, job, verdict.message);
  } else if (verdict.kind === 'snooze') {
    await requeue(context, tx, job, { attempt: job.attempt - 1, message: verdict.message }, verdict.seconds);
  } else {
    await verdict.record?.(tx);
    await context.queue.drop(tx, job);
    const row = await updateJob(tx, job.id, {
      status: 'completed',
      progress: 100,
      message: '',
      eta_seconds: null,
      error: null,
      lease_id: null,
      queue_id: null,
      finished_at: context.clock.now(),
    });
    await emit(context, tx, 'job.changed', { job: row });
  }
  return verdict.kind;
}

async function settleError(options: AttemptOptions, tx: Tx, job: JobRow, error: unknown): Promise<string> {
  const { context, signal } = options;
  // A cancel has already failed the job. Any other interruption is not counted as an attempt.
  if (signal.aborted) {
    await requeue(context, tx, job, { attempt: job.attempt - 1 }, 0);
    return `put back: ${messageOf(signal.reason)}`;
  }
  if (isDatabaseUnavailable(error)) {
    await requeue(context, tx, job, { attempt: job.attempt - 1 }, 2);
    return 'put back: the database was away';
  }
  if ((isRetryable(error) || isTransactionConflict(error)) && job.attempt < job.max_attempts) {
    const message = `attempt ${job.attempt + 1} of ${job.max_attempts}`;
    await requeue(context, tx, job, { message }, backoffSeconds(job.attempt));
    return 'retry';
  }
  await failJob(context, tx, job, failureSentence(error));
  return 'failed';
}

async function requeue(
  context: Context,
  tx: Tx,
  job: JobRow,
  change: Pick<JobChange, 'attempt' | 'message'>,
  afterSeconds: number,
): Promise<void> {
  const message =
    change.message ?? context.queue.workerOf(job.type).queuedMessage ?? 'waiting for other jobs to finish';
  const row = await updateJob(tx, job.id, {
    ...change,
    status: 'queued',
    progress: 0,
    message,
    eta_seconds: null,
    lease_id: null,
  });
  await context.queue.send(tx, row, afterSeconds);
  await emit(context, tx, 'job.changed', { job: row });
}
