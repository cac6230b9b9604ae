import type { JobType } from '@stem-studio/contract/states';
import type { Pool } from 'pg';
import { fromKysely, type Job, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { pause } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { runAs } from '../db/connection-shares.ts';
import type { Tx } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { messageOf } from '../errors.ts';
import { newId } from '../ids.ts';
import { runAttempt } from './attempt.ts';
import { updateJob } from './jobs.store.ts';
import { cancelTopic } from './jobs.ts';
import type { Worker } from './worker.ts';

declare module '../context.ts' {
  interface Context {
    readonly queue: Queue;
  }
}

/** Queue that delivers jobs to workers. */
export interface Queue {
  /** Returns the worker of a type. Throws if no feature declares one. */
  workerOf(type: JobType): Worker;
  /** Returns the line in which a job of this type with these arguments waits. */
  lineOf(job: Pick<JobRow, 'type' | 'args'>): string;
  /**
   * Adds the job to its line at its tag, in the caller's transaction, and removes its earlier entry. A requeued job
   * keeps its tag, so it is again the first of its flow.
   */
  send(tx: Tx, job: JobRow, afterSeconds?: number): Promise<JobRow>;
  /** Adds new jobs to their lines under the queue ids of their rows, in the caller's transaction. */
  sendAll(tx: Tx, jobs: readonly JobRow[]): Promise<void>;
  /** Removes the job from its line, in the caller's transaction. */
  drop(tx: Tx, job: JobRow): Promise<void>;
  /** Removes jobs from their lines, in the caller's transaction. */
  dropAll(tx: Tx, jobs: readonly JobRow[]): Promise<void>;
  /** Opens the queue. Must be called before all other methods. */
  open(): Promise<void>;
  /** Starts the workers in this process. */
  start(context: Context): Promise<void>;
  /**
   * Runs one queued job immediately, even one that is delayed before its next attempt. Returns false if no job is
   * queued.
   */
  runOne(context: Context): Promise<boolean>;
  /** Requeues the running jobs without counting their attempts, and closes the queue. */
  stop(): Promise<void>;
}

/** Reason of an interrupted attempt whose job was cancelled. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError';
}

/** Reason of an attempt that was interrupted because the service stops. */
export class ServiceStoppingError extends Error {
  override readonly name = 'ServiceStoppingError';
}

/** Options of {@link createQueue}. */
export interface QueueOptions {
  readonly pool: Pool;
  readonly listener: Listener;
  readonly log: Logger;
  readonly workers: readonly Worker[];
  /** Whether this process detects dead workers. False only in tests. */
  readonly isSupervising: boolean;
}

/**
 * pg-boss delivers and leases entries; the state of a job is in its own row. Attempts are counted in that row, so
 * pg-boss may retry without limit: it does so only when a worker dies.
 */
const queueSettings = {
  retryLimit: 1000,
  retryDelay: 0,
  /** Time without a heartbeat after which a worker counts as dead, in seconds. 10 s is the minimum of pg-boss. */
  heartbeatSeconds: 10,
  /** Maximum duration of an attempt, in seconds: a day is the maximum of pg-boss. */
  expireInSeconds: 86_400,
  deleteAfterSeconds: 3600,
  retentionSeconds: 10 * 365 * 86_400,
  notify: true,
} as const;
const workSettings = {
  batchSize: 1,
  // NOTIFY wakes the workers; polling finds entries of lost notifications and of dead workers.
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 2,
} as const;
const superviseSeconds = 1;
/** Time for interrupted attempts to clean up before the queue closes, in ms. */
const gracePeriodMs = 6000;

/** Name of a line: jobs of a type that run here, or that wait for another machine. */
type Line = JobType | `${JobType}-elsewhere`;

/** Returns the lines of a worker, each with its concurrency per process. */
function linesOf(worker: Worker): (readonly [Line, (config: Config) => number])[] {
  const { type, elsewhere } = worker;
  return [
    [type, (config) => worker.concurrency(config)],
    ...(elsewhere ? [[`${type}-elsewhere`, (config: Config) => elsewhere.concurrency(config)] as const] : []),
  ];
}

/** Creates a queue in the tables of the database. */
export function createQueue(options: QueueOptions): Queue {
  const { pool, listener, log } = options;
  const workers = new Map<JobType, Worker>(options.workers.map((worker) => [worker.type, worker]));
  const stopping = new AbortController();
  const running = new Map<string, AbortController>();
  const attempts = new Set<Promise<void>>();
  let unsubscribe: (() => void) | undefined;

  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values as unknown[]),
      listen: async (channel, onMessage, onReconnect) => ({
        close: await listener.listen(channel, onMessage, onReconnect),
      }),
    },
    migrate: false,
    schedule: false,
    supervise: options.isSupervising,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: 1,
    useListenNotify: true,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the queue failed'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'warning of the queue'));

  const workerOf = (type: JobType) => {
    const worker = workers.get(type);
    if (!worker) throw new Error(`no worker is declared for jobs of type "${type}"`);
    return worker;
  };
  const lineOf = (job: Pick<JobRow, 'type' | 'args'>): Line => {
    const worker = workers.get(job.type);
    const args = worker?.elsewhere && worker.args.parse(job.args);
    return args?.kind === 'readable' && worker?.elsewhere?.includes(args.value)
      ? `${job.type}-elsewhere`
      : job.type;
  };
  const byLine = (jobs: readonly JobRow[]) => Map.groupBy(jobs, lineOf);
  const drop = async (tx: Tx, job: JobRow) => {
    if (job.queue_id) await boss.deleteJob(lineOf(job), job.queue_id, { db: fromKysely(tx) });
  };
  const dropAll = async (tx: Tx, jobs: readonly JobRow[]) => {
    for (const [line, some] of byLine(jobs)) {
      const entries = some.flatMap(({ queue_id }) => queue_id ?? []);
      // pg-boss rejects an empty list.
      if (entries.length > 0) await boss.deleteJob(line, entries, { db: fromKysely(tx) });
    }
  };
  const sendAll = async (tx: Tx, jobs: readonly JobRow[]) => {
    for (const [line, some] of byLine(jobs)) {
      const entries = some.flatMap(({ id, queue_id, queue_tag }) =>
        queue_id === null ? [] : { id: queue_id, data: { job_id: id }, priority: -queue_tag },
      );
      await boss.insert(line, entries, { db: fromKysely(tx) });
    }
  };
  const send = async (tx: Tx, job: JobRow, afterSeconds = 0) => {
    await drop(tx, job);
    // The id is new each time, so a worker that still holds the old entry cannot mistake it for the new one.
    const entry = newId();
    await boss.send(
      lineOf(job),
      { job_id: job.id },
      { id: entry, priority: -job.queue_tag, startAfter: afterSeconds, db: fromKysely(tx) },
    );
    return updateJob(tx, job.id, { queue_id: entry });
  };
  const attempt = async (context: Context, worker: Worker, entry: Job<{ job_id: string }>) => {
    const jobId = entry.data.job_id;
    const interrupt = new AbortController();
    if (stopping.signal.aborted) throw new ServiceStoppingError('the service stops');
    running.set(jobId, interrupt);
    const claim = entry.signal ? AbortSignal.any([interrupt.signal, entry.signal]) : interrupt.signal;
    const run = runAs({ use: 'job', key: null, held: 0 }, () =>
      runAttempt({ context, worker, jobId, queueId: entry.id, interrupt, signal: claim }),
    );
    attempts.add(run);
    try {
      await run;
    } finally {
      attempts.delete(run);
      if (running.get(jobId) === interrupt) running.delete(jobId);
    }
  };

  // Each lane runs one job at a time; a line has as many lanes as its concurrency.
  const addLane = async (context: Context, worker: Worker, line: Line) => {
    const lane: string = await boss.work<{ job_id: string }>(line, workSettings, async ([entry]) => {
      if (entry) await attempt(context, worker, entry);
      // Another job may be queued already: fetch it without delay.
      boss.notifyWorker(lane);
    });
  };

  return {
    workerOf,
    lineOf,
    send,
    sendAll,
    drop,
    dropAll,
    open: async () => {
      await boss.start();
      for (const [line] of [...workers.values()].flatMap(linesOf))
        await boss.createQueue(line, queueSettings);
    },
    start: async (context) => {
      unsubscribe = context.bus.subscribe(cancelTopic, ({ payload }) => {
        running.get(String(payload['job_id']))?.abort(new JobCancelledError('cancelled'));
      });
      for (const worker of workers.values()) {
        for (const [line, concurrency] of linesOf(worker))
          for (let lane = 0; lane < concurrency(context.config); lane++) await addLane(context, worker, line);
      }
    },
    runOne: async (context) => {
      for (const worker of workers.values()) {
        for (const [line] of linesOf(worker)) {
          const [entry] = await boss.fetch<{ job_id: string }>(line, { ignoreStartAfter: true });
          if (!entry) continue;
          await attempt(context, worker, entry);
          return true;
        }
      }
      return false;
    },
    stop: async () => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      unsubscribe?.();
      for (const [line] of [...workers.values()].flatMap(linesOf)) await boss.offWork(line, { wait: false });
      for (const interrupt of running.values())
        interrupt.abort(new ServiceStoppingError('the service stops'));
      const put = new AbortController();
      await Promise.race([Promise.allSettled(attempts), pause(gracePeriodMs, put.signal)]);
      put.abort();
      await boss
        .stop({ graceful: false, close: false })
        .catch((error: unknown) => log.warn(`the queue did not stop as it should: ${messageOf(error)}`));
    },
  };
}
