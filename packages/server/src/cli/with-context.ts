import { readConfig } from '../config.ts';
import { BackupError } from '../platform/backup/backup-error.ts';
import { refuseUnfinishedRestore } from '../platform/backup/restore-backup.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { type Connection, isDatabaseUnavailable } from '../platform/db/connection.ts';
import { serviceUmask } from '../platform/files/data-folder.ts';
import { claimStorage, refuseNewDatabase, type StorageClaim } from '../platform/files/storage-identity.ts';
import { StorageMismatchError } from '../platform/files/storage-marker.ts';
import { createLog } from '../platform/log.ts';
import { NoPostgresError } from '../platform/postgres/binaries.ts';
import { findCluster } from '../platform/postgres/cluster.ts';
import { startOwnPostgres } from '../platform/postgres/own-postgres.ts';
import { DirectoryLockedError, lockDirectory } from '../platform/process/directory-lock.ts';
import type { Worker } from '../platform/queue/worker.ts';
import { CommandError } from './command.ts';

/** Connection to a database, with the function that restores its previous state. */
interface Reached {
  readonly connection: Connection;
  /** Folder of the service's own PostgreSQL; null for a database of `DATABASE_URL`. */
  readonly databaseFolder: string | null;
  leave(): Promise<void>;
}

/** Connects to the database of the running service. If none runs, starts the service's own database until `leave()`. */
export async function reachDatabase(config: Config, mayCreate: boolean): Promise<Reached> {
  const { dataDir, databaseUrl } = config;
  const leave = () => Promise.resolve();
  if (databaseUrl !== null)
    return { connection: { connectionString: databaseUrl }, databaseFolder: null, leave };
  const log = createLog('error');
  try {
    const unlock = await lockDirectory(dataDir);
    try {
      const beforeCreate = () => (mayCreate ? Promise.resolve() : refuseNewDatabase(dataDir));
      const own = await startOwnPostgres({ dataDir, log, beforeCreate });
      return {
        connection: own.connection,
        databaseFolder: own.folder,
        leave: async () => {
          await own.stop();
          await unlock();
        },
      };
    } catch (error) {
      await unlock();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof DirectoryLockedError)) throw error;
    const { connection, folder } = await findCluster(dataDir);
    return { connection, databaseFolder: folder, leave };
  }
}

/**
 * Runs `work` with a database whose schema is up to date, whether or not the service runs.
 *
 * @param mayCreate whether to create a missing database in the data directory
 * @throws CommandError if the configuration is wrong or the database cannot be reached
 */
export async function withStorage<T>(
  mayCreate: boolean,
  work: (claim: StorageClaim, config: Config) => Promise<T>,
): Promise<T> {
  process.umask(serviceUmask);
  try {
    const config = readConfig();
    await refuseUnfinishedRestore(config.uploadsDir);
    const reached = await reachDatabase(config, mayCreate);
    const { connection, databaseFolder } = reached;
    try {
      // Loaded only now, because commands that only reach the database do without the queue.
      const { migrateWithBackup } = await import('../platform/backup/migrate-with-backup.ts');
      await migrateWithBackup(connection, config, createLog('error'));
      return await work({ connection, databaseFolder, settings: config, log: createLog('error') }, config);
    } finally {
      await reached.leave();
    }
  } catch (error) {
    if (
      error instanceof ConfigError ||
      error instanceof NoPostgresError ||
      error instanceof StorageMismatchError ||
      error instanceof BackupError
    )
      throw new CommandError(error.message);
    if (isDatabaseUnavailable(error))
      throw new CommandError('the database cannot be reached: "studio doctor" shows why');
    throw error;
  }
}

/**
 * Runs `work` with the service's context, whether or not the service runs.
 *
 * @param workers workers whose jobs `work` may request; they run in the service, not here
 * @throws CommandError if the configuration is wrong, or the database cannot be reached or does not belong to the
 * storage folders
 */
export async function withContext<T>(
  work: (context: Context) => Promise<T>,
  workers: readonly Worker[] = [],
): Promise<T> {
  return withStorage(false, async (claim, config) => {
    await claimStorage(claim);
    const { createContext } = await import('../context.ts');
    const { context, close } = await createContext(config, {
      connection: claim.connection,
      workers,
      pipeline: {},
      log: createLog('error'),
      maxConnections: 2,
      isSupervising: false,
    });
    try {
      return await work(context);
    } finally {
      await close();
    }
  });
}
