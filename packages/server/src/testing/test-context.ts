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
import { cleanUp } from './clean-up.ts';
import { createTestDatabase, type TestDatabase } from './test-postgres.ts';

/** The part of `node:test`'s context that the helpers need. */
export interface TestLifetime {
  after(work: () => Promise<void> | void): void;
}

/** Options of a test; the others have defaults. */
export interface TestOverrides {
  readonly config?: Partial<Config>;
  /** A migrated database, dropped after the test; a new one by default. */
  readonly database?: TestDatabase;
  readonly features?: readonly Feature[];
  /** Workers in addition to those of the features. */
  readonly workers?: readonly Worker[];
  readonly pipeline?: Pipeline;
  readonly clock?: Clock;
  readonly isSupervising?: boolean;
  /** Measures the disk space; the real one by default. */
  readonly measureSpace?: MeasureSpace;
  /** Receives every line of the log, including debug lines. */
  readonly logLines?: string[];
}

/** A context that is removed after the test. */
export interface TestContext extends Context {
  /** The test's own folder, which contains its data directory; removed after the test. */
  readonly folder: string;
  /** For tests with processes of their own. */
  readonly connection: Connection;
  /** Runs `work` after the test and before the context closes, as `cleanUp` does. */
  readonly beforeClose: (work: () => Promise<void>) => void;
}

/**
 * Opens a context with its own database, cloned from a migrated template, and its own folders. No worker runs:
 * `drainJobs` runs the queued jobs, `context.queue.start` starts the workers.
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
        // Independent of this machine's free space.
        DISK_MARGIN_MB: '0',
        DISK_RESERVE_MB: '0',
      },
      folder,
    ),
    // Without ffmpeg, even if this machine has one.
    ffmpegPath: join(folder, 'no-ffmpeg'),
    // Separate for each test, because several run at a time.
    separationQueue: basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, '-'),
    // Each process ends with its job.
    separationRestSeconds: 0,
    // Most tests begin with users who register themselves.
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
  // A child process that has just been ended may still write into it.
  cleanUp(t, () => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  cleanUp(t, () => database.drop());
  cleanUp(t, close);
  return {
    ...context,
    folder,
    connection: database.connection,
    beforeClose: (work) => cleanUp(t, work),
  };
}

function logFor(config: Config, lines: string[] | undefined) {
  return lines ? createLog('debug', { write: (line) => void lines.push(line) }) : createLog(config.logLevel);
}

/** Runs all queued jobs and those that they request, one after another. Returns their number. */
export async function drainJobs(context: Context): Promise<number> {
  let count = 0;
  while (await context.queue.runOne(context)) count += 1;
  return count;
}
