import type { Logger } from 'pino';
import type { Clock } from './platform/clock.ts';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { openSecrets, type Secrets } from './platform/crypto/secrets.ts';
import type { Connection } from './platform/db/connection.ts';
import { type Db, openDatabase } from './platform/db/database.ts';
import { createListener } from './platform/db/listener.ts';
import { createDisk, type Disk } from './platform/disk/disk.ts';
import type { Pipeline } from './platform/events.ts';
import type { Files } from './platform/files/files.ts';
import { createLocalFiles } from './platform/files/local-files.ts';
import { createDatabaseProbe, type DatabaseProbe } from './platform/health/database-probe.store.ts';
import { createLog } from './platform/log.ts';
import type { JobSubjectPolicy } from './platform/queue/job-subject.ts';
import { createQueue, type Queue } from './platform/queue/queue.ts';
import type { Worker } from './platform/queue/worker.ts';
import { type Bus, createBus } from './platform/socket/bus.ts';

/** What every rule of the service may need, handed to it and never imported. */
export interface Context {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  readonly clock: Clock;
  readonly files: Files;
  readonly disk: Disk;
  readonly databaseProbe: DatabaseProbe;
  readonly queue: Queue;
  /** Kinds of rows that jobs can be about. */
  readonly jobSubjects: readonly JobSubjectPolicy[];
  readonly bus: Bus;
  readonly pipeline: Pipeline;
  readonly secrets: Secrets;
}

/** What `createContext` is told beside the configuration. */
export interface ContextOptions {
  /** A database whose schema is up to date. */
  readonly connection: Connection;
  readonly workers: readonly Worker[];
  /** None unless given. */
  readonly jobSubjects?: readonly JobSubjectPolicy[];
  readonly pipeline: Pipeline;
  readonly log?: Logger;
  /** That of the configuration unless given. */
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly maxConnections?: number;
  /** Whether this process notices dead workers; on unless given. */
  readonly isSupervising?: boolean;
}

/** An open context: `close` ends its connections. Stop the queue's work and the HTTP server first. */
export interface OpenContext {
  readonly context: Context;
  readonly close: () => Promise<void>;
}

/** Opens everything that the rules stand on. Nothing works or listens yet but the bus. */
export async function createContext(config: Config, options: ContextOptions): Promise<OpenContext> {
  const log = options.log ?? createLog(config.logLevel);
  const { connection, pipeline, workers } = options;
  const database = openDatabase({ connection, log, maxConnections: options.maxConnections });
  const listener = createListener(connection, log);
  await listener.start();
  const bus = createBus(database.db, listener, log);
  await bus.start();
  const isSupervising = options.isSupervising ?? true;
  const queue = createQueue({ pool: database.pool, listener, log, workers, isSupervising });
  await queue.open();
  const context: Context = {
    config,
    db: database.db,
    log,
    clock: options.clock ?? systemClock,
    files: await createLocalFiles(config.uploadsDir),
    databaseProbe: createDatabaseProbe(connection),
    disk: options.disk ?? createDisk({ config, log }),
    queue,
    jobSubjects: options.jobSubjects ?? [],
    bus,
    pipeline,
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
