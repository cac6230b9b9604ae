import type { JobType } from '@stem-studio/contract/states';
import type { Pool } from 'pg';
import { fromKysely, type Job, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import { pause } from '../clock.ts';
import type { Config } from '../config.ts';
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

/** Carries jobs to workers. */
export interface Queue {
  /** The worker of a type. Throws when no feature has declared one. */
  workerOf(type: JobType): Worker;
  /** Line in which a job of this type with these arguments waits. */
  lineOf(job: Pick<JobRow, 'type' | 'args'>): string;
  /**
   * Puts the job in line at its tag, in the caller's transaction; it leaves the position it may have had. A job that is
   * put back keeps its tag, so it is the first of its flow again.
   */
  send(tx: Tx, job: JobRow, afterSeconds?: number): Promise<JobRow>;
  /** Puts new jobs in line, at the places that their rows name, in the caller's transaction. */
  sendAll(tx: Tx, jobs: readonly JobRow[]): Promise<void>;
  /** Takes the job out of line, in the caller's transaction. */
  drop(tx: Tx, job: JobRow): Promise<void>;
  /** Takes jobs out of line, in the caller's transaction. */
  dropAll(tx: Tx, jobs: readonly JobRow[]): Promise<void>;
  /** Must be called before anything else. */
  open(): Promise<void>;
  /** Begins to work, in this process. */
  start(context: Context): Promise<void>;
  /** Runs one waiting job here and now, also one that pauses before its next attempt; false when none waits. */
  runOne(context: Context): Promise<boolean>;
  /** Puts back what runs, without using up an attempt, and ends. */
  stop(): Promise<void>;
}

/** Why an attempt is interrupted: its user cancelled the job. */
export class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError';
}

/** Why an attempt is interrupted: the service stops. */
export class ServiceStoppingError extends Error {
  override readonly name = 'ServiceStoppingError';
}

/** What the queue stands on. */
export interface QueueOptions {
  readonly pool: Pool;
  readonly listener: Listener;
  readonly log: Logger;
  readonly workers: readonly Worker[];
  /** Whether this process notices dead workers; off only in tests. */
  readonly isSupervising: boolean;
}

/**
 * pg-boss carries, leases and wakes; what is true of a job stands in our own row. Attempts are counted there too, so
 * pg-boss itself may retry as often as it likes: it does so only when a worker dies.
 */
const queueSettings = {
  retryLimit: 1000,
  retryDelay: 0,
  /** A worker that has not been heard for so long is dead: 10 s is the least pg-boss takes. */
  heartbeatSeconds: 10,
  /** No attempt may run longer: pg-boss allows a day at most. */
  expireInSeconds: 86_400,
  deleteAfterSeconds: 3600,
  retentionSeconds: 10 * 365 * 86_400,
  notify: true,
} as const;
const workSettings = {
  batchSize: 1,
  // NOTIFY wakes the workers; polling finds what a lost notification has left, and what a dead worker had.
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 2,
} as const;
const superviseSeconds = 1;
/** How long interrupted attempts have to tidy up before they are put back without them. */
const longestFarewellMs = 6000;

/** A line of jobs: those of a type, or those of a type that wait for another machine. */
type Line = JobType | `${JobType}-elsewhere`;

/** The lines of a worker, each with how many of its jobs run at once in one process. */
function linesOf(worker: Worker): (readonly [Line, (config: Config) => number])[] {
  const { type, elsewhere } = worker;
  return [
    [type, (config) => worker.concurrency(config)],
    ...(elsewhere ? [[`${type}-elsewhere`, (config: Config) => elsewhere.concurrency(config)] as const] : []),
  ];
}

/** A queue in the database's own tables. */
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
      listen: async (channel, heard, back) => ({ close: await listener.listen(channel, heard, back) }),
    },
    migrate: false,
    schedule: false,
    supervise: options.isSupervising,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: 1,
    useListenNotify: true,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the queue could not do what it wanted'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'the queue warns'));

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
      const places = some.flatMap(({ queue_id }) => queue_id ?? []);
      // The library refuses an empty list.
      if (places.length > 0) await boss.deleteJob(line, places, { db: fromKysely(tx) });
    }
  };
  const sendAll = async (tx: Tx, jobs: readonly JobRow[]) => {
    for (const [line, some] of byLine(jobs)) {
      const places = some.flatMap(({ id, queue_id, queue_tag }) =>
        queue_id === null ? [] : { id: queue_id, data: { job_id: id }, priority: -queue_tag },
      );
      await boss.insert(line, places, { db: fromKysely(tx) });
    }
  };
  const send = async (tx: Tx, job: JobRow, afterSeconds = 0) => {
    await drop(tx, job);
    // Each time a new place: whoever still holds the old one cannot mistake it for the new.
    const place = newId();
    await boss.send(
      lineOf(job),
      { job_id: job.id },
      { id: place, priority: -job.queue_tag, startAfter: afterSeconds, db: fromKysely(tx) },
    );
    return updateJob(tx, job.id, { queue_id: place });
  };
  const attempt = async (context: Context, worker: Worker, place: Job<{ job_id: string }>) => {
    const jobId = place.data.job_id;
    const interrupt = new AbortController();
    if (stopping.signal.aborted) throw new ServiceStoppingError('the service stops');
    running.set(jobId, interrupt);
    const claim = place.signal ? AbortSignal.any([interrupt.signal, place.signal]) : interrupt.signal;
    const run = runAs({ use: 'job', key: null, held: 0 }, () =>
      runAttempt({ context, worker, jobId, queueId: place.id, interrupt, signal: claim }),
    );
    attempts.add(run);
    try {
      await run;
    } finally {
      attempts.delete(run);
      if (running.get(jobId) === interrupt) running.delete(jobId);
    }
  };

  // One job at a time: as many lanes as jobs may run at once.
  const addLane = async (context: Context, worker: Worker, line: Line) => {
    const lane: string = await boss.work<{ job_id: string }>(line, workSettings, async ([place]) => {
      if (place) await attempt(context, worker, place);
      // The next one may wait already: look at once instead of after the pause.
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
          const [place] = await boss.fetch<{ job_id: string }>(line, { ignoreStartAfter: true });
          if (!place) continue;
          await attempt(context, worker, place);
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
      await Promise.race([Promise.allSettled(attempts), pause(longestFarewellMs, put.signal)]);
      put.abort();
      await boss
        .stop({ graceful: false, close: false })
        .catch((error: unknown) => log.warn(`the queue did not stop as it should: ${messageOf(error)}`));
    },
  };
}
