import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseConfig } from '../config.ts';
import { createContext } from '../context.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import type { Connection } from '../platform/db/connection.ts';
import { createDisk, type MeasureSpace } from '../platform/disk/disk.ts';
import type { Pipeline } from '../platform/events.ts';
import type { Feature } from '../platform/feature.ts';
import { createLog } from '../platform/log.ts';
import type { Worker } from '../platform/queue/worker.ts';
import { createTestDatabase, type TestDatabase } from './test-postgres.ts';

/** The part of `node:test`'s context that a harness needs. */
export interface TestLifetime {
  after(work: () => Promise<void> | void): void;
}

/** What a test may choose; the rest is made for it. */
export interface TestOverrides {
  readonly config?: Partial<Config>;
  /** A migrated database, dropped after the test; a new one unless given. */
  readonly database?: TestDatabase;
  readonly features?: readonly Feature[];
  /** Workers beside those of the features. */
  readonly workers?: readonly Worker[];
  readonly pipeline?: Pipeline;
  readonly clock?: Clock;
  readonly isSupervising?: boolean;
  /** What the disk is said to hold; the real one unless given. */
  readonly measureSpace?: MeasureSpace;
  /** Takes every line of the log, down to the requests. */
  readonly logLines?: string[];
}

/** A context that is thrown away after the test. */
export interface TestContext extends Context {
  /** The test's own folder, with its data directory in it; removed after it. */
  readonly folder: string;
  /** For tests with processes of their own. */
  readonly connection: Connection;
  /** Runs `work` after the test and before the context closes, the latest first. */
  readonly beforeClose: (work: () => Promise<void>) => void;
}

/**
 * A context with a database of its own, cloned from a migrated template, and folders of its own. Nothing works by
 * itself: `drainJobs` runs what waits, `context.queue.start` starts the workers.
 */
export async function openTestContext(t: TestLifetime, overrides: TestOverrides = {}): Promise<TestContext> {
  const database = overrides.database ?? (await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-test-'));
  const config = {
    ...parseConfig(
      {
        NODE_ENV: 'test',
        LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
        PORT: '0',
        // Whatever this machine has free.
        DISK_MARGIN_MB: '0',
        DISK_RESERVE_MB: '0',
      },
      folder,
    ),
    // A machine without ffmpeg, whatever this one has.
    ffmpegPath: join(folder, 'no-ffmpeg'),
    // Of each test's own: several run at a time.
    separationQueue: basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, '-'),
    // No process outlives its job, so that a test can tell that none is left.
    separationRestSeconds: 0,
    // Most tests begin with people who register by themselves.
    registration: 'open' as const,
    ...overrides.config,
  };
  const features = overrides.features ?? [];
  const featureWorkers = features.flatMap((feature) => feature.workers ?? []);
  const log = logFor(config, overrides.logLines);
  const { context, close } = await createContext(config, {
    connection: database.connection,
    workers: [...featureWorkers, ...(overrides.workers ?? [])],
    jobSubjects: features.flatMap((feature) => feature.jobSubjects ?? []),
    pipeline: overrides.pipeline ?? {},
    accountParts: (overrides.features ?? []).flatMap((feature) => feature.accountParts ?? []),
    log,
    disk: createDisk({ config, log, measure: overrides.measureSpace }),
    clock: overrides.clock,
    maxConnections: 8,
    isSupervising: overrides.isSupervising ?? false,
  });
  // The hooks of node:test run in the order in which they were set: this one needs the opposite.
  const ends = new AsyncDisposableStack();
  // A child process that has just been ended may still write into it.
  ends.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  ends.defer(() => database.drop());
  ends.defer(close);
  t.after(() => ends.disposeAsync());
  return { ...context, folder, connection: database.connection, beforeClose: (work) => ends.defer(work) };
}

function logFor(config: Config, lines: string[] | undefined) {
  return lines ? createLog('debug', { write: (line) => void lines.push(line) }) : createLog(config.logLevel);
}

/** Runs everything that waits in the queue, one job after the other, and what those jobs ask for; answers how many. */
export async function drainJobs(context: Context): Promise<number> {
  let count = 0;
  while (await context.queue.runOne(context)) count += 1;
  return count;
}
