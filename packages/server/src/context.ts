import type { Logger } from 'pino';
import type { AccountPart } from './platform/account-part.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Context } from './platform/context.ts';
import { openSecrets } from './platform/crypto/secrets.ts';
import type { Connection } from './platform/db/connection.ts';
import { openDatabase } from './platform/db/database.ts';
import { createListener } from './platform/db/listener.ts';
import { createDisk, type Disk } from './platform/disk/disk.ts';
import type { Pipeline } from './platform/events.ts';
import { createLocalFiles } from './platform/files/local-files.ts';
import { createDatabaseProbe } from './platform/health/database-probe.store.ts';
import { createLog } from './platform/log.ts';
import type { JobSubjectPolicy } from './platform/queue/job-subject.ts';
import { createQueue } from './platform/queue/queue.ts';
import type { Worker } from './platform/queue/worker.ts';
import { createBus } from './platform/socket/bus.ts';

/** Options of `createContext` besides the configuration. */
export interface ContextOptions {
  /** A database with an up-to-date schema. */
  readonly connection: Connection;
  readonly workers: readonly Worker[];
  /** Empty by default. */
  readonly jobSubjects?: readonly JobSubjectPolicy[];
  readonly pipeline: Pipeline;
  /** Empty by default. */
  readonly accountParts?: readonly AccountPart[];
  readonly log?: Logger;
  /** The disk of the configuration by default. */
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly maxConnections?: number;
  /** Whether this process detects dead workers; true by default. */
  readonly isSupervising?: boolean;
}

/** An open context; `close` ends its connections. Stop the queue's work and the HTTP server first. */
export interface OpenContext {
  readonly context: Context;
  readonly close: () => Promise<void>;
}

/** Opens the shared resources of the features. Only the bus is active; no jobs run and nothing listens yet. */
export async function createContext(config: Config, options: ContextOptions): Promise<OpenContext> {
  const log = options.log ?? createLog(config.logLevel);
  const { connection, pipeline, workers } = options;
  const database = openDatabase({ connection, log, maxConnections: options.maxConnections });
  const listener = createListener(connection, log);
  await listener.start();
  const clock = options.clock ?? systemClock;
  const bus = createBus(database.db, listener, log, clock);
  await bus.start();
  const isSupervising = options.isSupervising ?? true;
  const queue = createQueue({ pool: database.pool, listener, log, workers, isSupervising });
  await queue.open();
  const context: Context = {
    config,
    db: database.db,
    log,
    clock,
    files: await createLocalFiles(config.uploadsDir),
    databaseProbe: createDatabaseProbe(connection),
    disk: options.disk ?? createDisk({ config, log }),
    queue,
    jobSubjects: options.jobSubjects ?? [],
    bus,
    pipeline,
    accountParts: options.accountParts ?? [],
    secrets: await openSecrets(config),
  };
  return {
    context,
    close: async () => {
      await queue.stop();
      await context.databaseProbe.close();
      await bus.stop();
      await listener.stop();
      await database.close();
    },
  };
}
