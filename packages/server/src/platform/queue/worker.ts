import type { JobStatus, JobType } from '@stem-studio/contract/states';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { StoredJson } from '../db/stored-json.ts';
import type { JobSubject } from './job-subject.ts';
import type { Verdict } from './verdict.ts';

/** Progress of an attempt. Omitted fields stay unchanged. */
export interface JobReport {
  status?: Extract<JobStatus, 'downloading' | 'processing'>;
  /** Progress in percent, 0 to 100. A smaller value than before is ignored. */
  progress?: number;
  /** Name of the current stage. */
  message?: string;
  eta_seconds?: number | null;
}

/** One attempt at a job, as passed to its worker. */
export interface JobRun {
  readonly jobId: string;
  /** Row that the job refers to; null for a job without a subject. */
  readonly subject: JobSubject | null;
  readonly userId: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Id of this attempt. Reservations made under another lease are not counted. */
  readonly leaseId: string;
  /** Number of bytes that the job is expected to store. */
  readonly expectedBytes: number;
  /** Aborts when the job is cancelled, the service stops, or another process has claimed the job. */
  readonly signal: AbortSignal;
  /** Reports progress. May be called often: at most one event per 100 ms is published, and the last one always. */
  report(change: JobReport): Promise<void>;
}

/** Options of `defineWorker`. */
export interface WorkerOptions<A> {
  readonly type: JobType;
  /** Stored format of the job's arguments. */
  readonly args: StoredJson<A>;
  /** Number of jobs that run at once in one process. */
  concurrency(config: Config): number;
  /** Jobs that wait for another machine. They have a separate line and concurrency. */
  readonly elsewhere?: { includes(args: A): boolean; concurrency(config: Config): number };
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** State of the job while it runs, until `report` changes it. */
  readonly runningStatus: Extract<JobStatus, 'downloading' | 'processing'>;
  /**
   * Returns the costs of requested jobs in seconds of audio, in their order, 0 if unknown. The queue divides work
   * between users by cost. Without this method every job counts as a track of three minutes.
   */
  costs?(
    tx: Tx,
    asked: readonly { readonly subject: JobSubject | null; readonly args: A }[],
  ): Promise<readonly number[]>;
  /** Message of a queued job. */
  readonly queuedMessage?: string;
  perform(args: A, run: JobRun, context: Context): Promise<Verdict>;
  /** Cleans up in the transaction that fails the job (cancelled, failed, or attempts exhausted). */
  failed?(args: A, run: FailedRun, context: Context, tx: Tx, error: string): Promise<void>;
}

/** A job that is being failed. It may never have started. */
export type FailedRun = Pick<JobRun, 'jobId' | 'subject' | 'userId' | 'attempt' | 'maxAttempts'>;

/** Worker with its argument type erased. The queue parses the arguments before it calls the worker. */
export type Worker = WorkerOptions<unknown>;

/**
 * Declares the worker of one type of job. `perform` returns a verdict. An error with `isRetryable === true` leads to
 * another attempt after a growing delay; any other error fails the job with its message.
 */
export function defineWorker<A>(options: WorkerOptions<A>): Worker {
  return {
    ...options,
    args: options.args,
    concurrency: (config) => options.concurrency(config),
    elsewhere: options.elsewhere && {
      includes: (args) => options.elsewhere?.includes(args as A) ?? false,
      concurrency: (config) => options.elsewhere?.concurrency(config) ?? 0,
    },
    costs:
      options.costs &&
      ((tx, asked) =>
        options.costs?.(tx, asked as readonly { subject: JobSubject | null; args: A }[]) ??
        Promise.resolve([])),
    perform: (args, run, context) => options.perform(args as A, run, context),
    failed:
      options.failed &&
      ((args, run, context, tx, error) =>
        options.failed?.(args as A, run, context, tx, error) ?? Promise.resolve()),
  };
}
