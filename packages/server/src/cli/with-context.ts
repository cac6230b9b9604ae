import { type Context, createContext } from '../context.ts';
import { BackupError } from '../platform/backup/backup-error.ts';
import { migrateWithBackup } from '../platform/backup/migrate-with-backup.ts';
import { refuseUnfinishedRestore } from '../platform/backup/restore-backup.ts';
import { type Config, ConfigError, readConfig } from '../platform/config.ts';
import { type Connection, isDatabaseUnavailable } from '../platform/db/connection.ts';
import { createLog } from '../platform/log.ts';
import { NoPostgresError } from '../platform/postgres/binaries.ts';
import { prepareCluster } from '../platform/postgres/cluster.ts';
import { startOwnPostgres } from '../platform/postgres/own-postgres.ts';
import { DirectoryLockedError, lockDirectory } from '../platform/process/directory-lock.ts';
import { CommandError } from './command.ts';

/** A database to talk to, and how to leave it as it was found. */
interface Reached {
  readonly connection: Connection;
  leave(): Promise<void>;
}

/** The database of the running service; where none runs, its own is started for as long as this takes. */
export async function reachDatabase(config: Config): Promise<Reached> {
  if (config.databaseUrl !== null)
    return { connection: { connectionString: config.databaseUrl }, leave: () => Promise.resolve() };
  const log = createLog('error');
  try {
    const unlock = await lockDirectory(config.dataDir);
    try {
      const own = await startOwnPostgres({ dataDir: config.dataDir, log });
      const leave = async () => {
        await own.stop();
        await unlock();
      };
      return { connection: own.connection, leave };
    } catch (error) {
      await unlock();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof DirectoryLockedError)) throw error;
    const transport = process.platform === 'win32' ? 'tcp' : 'socket';
    const { connection } = await prepareCluster(config.dataDir, log, transport);
    return { connection, leave: () => Promise.resolve() };
  }
}

/**
 * Does something with the service's data, whether or not the service runs.
 *
 * @throws CommandError when the configuration is wrong or the database cannot be reached
 */
export async function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  try {
    const config = readConfig();
    const reached = await reachDatabase(config);
    try {
      await refuseUnfinishedRestore(config.uploadsDir);
      await migrateWithBackup(reached.connection, config, createLog('error'));
      const { context, close } = await createContext(config, {
        connection: reached.connection,
        workers: [],
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
    } finally {
      await reached.leave();
    }
  } catch (error) {
    if (error instanceof ConfigError || error instanceof NoPostgresError || error instanceof BackupError)
      throw new CommandError(error.message);
    if (isDatabaseUnavailable(error))
      throw new CommandError('the database cannot be reached: "studio doctor" tells more');
    throw error;
  }
}
