import type { Context } from '../../context.ts';
import { pause, systemClock } from '../clock.ts';
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

/** One place in the queue whose turn it is. */
export interface AttemptOptions {
  readonly context: Context;
  readonly worker: Worker;
  readonly jobId: string;
  readonly queueId: string;
  /** Aborted by cancel and stop; by us when the lease is lost. */
  readonly interrupt: AbortController;
  /** `interrupt`, or the queue's own word that somebody else has the job. */
  readonly signal: AbortSignal;
}

/** Pause before attempt `n + 1`: 2 s, doubled each time, up to a minute, a quarter of it by chance. */
export function backoffSeconds(failedAttempts: number, fraction = chance()): number {
  return Math.min(60, 2 ** failedAttempts) * (0.75 + fraction / 4);
}

/** A worker that ignores its signal is left alone after this long. */
const longestFarewellMs = 4000;
/** How long an outcome waits for a database that is away. */
const longestSettleMs = 120_000;

/**
 * Runs one attempt from lease to outcome. Every outcome is one transaction that holds only while the lease does: a
 * worker that comes back from the dead changes nothing. Throws only when the job could not even be begun.
 */
export async function runAttempt(options: AttemptOptions): Promise<void> {
  const { context, worker, interrupt, signal } = options;
  const begun = await begin(options);
  if (!begun) return;
  const { job, args, leaseId } = begun;
  const log = context.log.child({ job_id: job.id, type: job.type, attempt: job.attempt });
  const reporter = createReporter(context, job, leaseId, () =>
    interrupt.abort(new Error('somebody else has taken the job')),
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
    outcome = { verdict: await withFarewell(worker.perform(args, run, context), signal) };
  } catch (error) {
    outcome = { error };
    const full = fullDiskSentence(error);
    // The database must be able to write down how this ended.
    if (full !== null) await context.disk.giveUpReserve(full);
  }
  await reporter.end();
  const said = await settle(options, job, leaseId, outcome);
  log.info({ outcome: said, ms: Math.round(context.clock.monotonicMs() - startedMs) }, 'the job ends');
  if ('error' in outcome && !signal.aborted) log.warn({ err: outcome.error }, 'the attempt failed');
}

type Outcome = { readonly verdict: Verdict } | { readonly error: unknown };

async function withFarewell(performing: Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  const given = new AbortController();
  const overdue = new Promise<never>((_resolve, reject) => {
    const late = () => {
      void pause(longestFarewellMs, given.signal).then(() => reject(signal.reason));
    };
    if (signal.aborted) late();
    else signal.addEventListener('abort', late, { once: true, signal: given.signal });
  });
  try {
    return await Promise.race([performing, overdue]);
  } finally {
    given.abort();
    // Nobody waits for them any more.
    overdue.catch(() => undefined);
    performing.catch(() => undefined);
  }
}

interface Begun {
  readonly job: JobRow;
  readonly args: unknown;
  readonly leaseId: string;
}

async function begin({ context, worker, jobId, queueId }: AttemptOptions): Promise<Begun | null> {
  return context.db.transaction().execute(async (tx) => {
    const job = await lockUnfinishedJob(tx, jobId);
    // Finished, or it has another place in the queue by now.
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
    // What was put back before it had used up an attempt was counted when it first began.
    if (job.started_at === null || job.attempt > 0) await chargeShare(tx, row);
    await emit(context, tx, 'job.changed', { job: row });
    return { job: row, args, leaseId };
  });
}

/** Writes down how the attempt ended, and says it in a word. Waits for a database that is away for a while. */
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
        if (now?.lease_id !== leaseId) return 'not ours any more';
        if ('verdict' in outcome) return settleVerdict(context, tx, now, outcome.verdict);
        return settleError(options, tx, now, outcome.error);
      });
    } catch (error) {
      if (!isDatabaseUnavailable(error)) {
        // What the verdict wanted to record is wrong: that is a failed attempt.
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
    await putBack(context, tx, job, { attempt: job.attempt - 1, message: verdict.message }, verdict.seconds);
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
  // A cancel has failed the job before; what else interrupts is not the attempt's fault.
  if (signal.aborted) {
    await putBack(context, tx, job, { attempt: job.attempt - 1 }, 0);
    return `put back: ${messageOf(signal.reason)}`;
  }
  if (isDatabaseUnavailable(error)) {
    await putBack(context, tx, job, { attempt: job.attempt - 1 }, 2);
    return 'put back: the database was away';
  }
  if ((isRetryable(error) || isTransactionConflict(error)) && job.attempt < job.max_attempts) {
    const message = `attempt ${job.attempt + 1} of ${job.max_attempts}`;
    await putBack(context, tx, job, { message }, backoffSeconds(job.attempt));
    return 'retry';
  }
  await failJob(context, tx, job, failureSentence(error));
  return 'failed';
}

async function putBack(
  context: Context,
  tx: Tx,
  job: JobRow,
  change: Pick<JobChange, 'attempt' | 'message'>,
  afterSeconds: number,
): Promise<void> {
  const message = change.message ?? context.queue.workerOf(job.type).queuedMessage ?? 'waiting for its turn';
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
