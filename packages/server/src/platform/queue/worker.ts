import type { JobStatus, JobType } from '@stem-studio/contract/states';
import type { Context } from '../../context.ts';
import type { Config } from '../config.ts';
import type { Tx } from '../db/database.ts';
import type { StoredJson } from '../db/stored-json.ts';
import type { JobSubject } from './job-subject.ts';
import type { Verdict } from './verdict.ts';

/** What an attempt may tell while it runs. What is left out stays. */
export interface JobReport {
  status?: Extract<JobStatus, 'downloading' | 'processing'>;
  /** Percent, 0 to 100. A smaller one than before is ignored. */
  progress?: number;
  /** The stage in words. */
  message?: string;
  eta_seconds?: number | null;
}

/** One attempt at a job, as its worker sees it. */
export interface JobRun {
  readonly jobId: string;
  /** What it is about; null for a job without a subject. */
  readonly subject: JobSubject | null;
  readonly userId: number;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Of this attempt: a reservation under another one does not count. */
  readonly leaseId: string;
  /** Bytes that the job is expected to store. */
  readonly expectedBytes: number;
  /** Aborts when the job is cancelled, the service stops, or somebody else has taken the job. */
  readonly signal: AbortSignal;
  /** Tells how far it is. Cheap to call often: at most one message each 100 ms goes out, the last one always. */
  report(change: JobReport): Promise<void>;
}

/** What `defineWorker` needs. */
export interface WorkerOptions<A> {
  readonly type: JobType;
  /** How the job's arguments are stored and read. */
  readonly args: StoredJson<A>;
  /** How many run at once in one process. */
  concurrency(config: Config): number;
  /** Jobs that wait for another machine, and so have places of their own beside the others'. */
  readonly elsewhere?: { includes(args: A): boolean; concurrency(config: Config): number };
  /** Attempts in all. */
  readonly attempts: number;
  /** State of the job while it runs, until `report` says another. */
  readonly runningStatus: Extract<JobStatus, 'downloading' | 'processing'>;
  /**
   * Work of requested jobs, in seconds of audio, in their order; 0 where it is not known. By it users take turns: whoever
   * asks for long songs gets fewer of them. A job counts as a song of three minutes where this is left out.
   */
  costs?(
    tx: Tx,
    asked: readonly { readonly subject: JobSubject | null; readonly args: A }[],
  ): Promise<readonly number[]>;
  /** What a queued job says it waits for. */
  readonly queuedMessage?: string;
  perform(args: A, run: JobRun, context: Context): Promise<Verdict>;
  /** Tidies up in the transaction that fails the job (cancelled, refused, attempts used up). */
  failed?(args: A, run: FailedRun, context: Context, tx: Tx, error: string): Promise<void>;
}

/** What is known of a job when it fails; it may never have begun. */
export type FailedRun = Pick<JobRun, 'jobId' | 'subject' | 'userId' | 'attempt' | 'maxAttempts'>;

/** A worker whose argument type has been forgotten: the queue parses before it calls. */
export type Worker = WorkerOptions<unknown>;

/**
 * Declares what is done with jobs of one type. `perform` returns a verdict; a throw with `isRetryable === true` is
 * another attempt after a growing pause, any other throw fails the job with its message.
 */
export function defineWorker<A>(options: WorkerOptions<A>): Worker {
  return {
    ...options,
    args: options.args as StoredJson<unknown>,
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
