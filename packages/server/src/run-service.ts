import { type App, createApp, wiringOf } from './app.ts';
import { readConfig } from './config.ts';
import { createContext } from './context.ts';
import { createAuthenticator, createSetupLink } from './features/accounts/index.ts';
import { features } from './features.ts';
import { BackupError } from './platform/backup/backup-error.ts';
import { migrateWithBackup } from './platform/backup/migrate-with-backup.ts';
import { refuseUnfinishedRestore } from './platform/backup/restore-backup.ts';
import { type Config, ConfigError } from './platform/config.ts';
import { warnOfLostKeys } from './platform/crypto/lost-keys.ts';
import type { Connection } from './platform/db/connection.ts';
import { createDisk } from './platform/disk/disk.ts';
import { messageOf } from './platform/errors.ts';
import { serviceUmask } from './platform/files/data-folder.ts';
import { stagingSeconds } from './platform/files/staging.ts';
import { claimStorage, refuseNewDatabase } from './platform/files/storage-identity.ts';
import { StorageMismatchError } from './platform/files/storage-marker.ts';
import { createLog } from './platform/log.ts';
import { NoPostgresError } from './platform/postgres/binaries.ts';
import { findCluster } from './platform/postgres/cluster.ts';
import { startOwnPostgres } from './platform/postgres/own-postgres.ts';
import { DirectoryLockedError, lockDirectory } from './platform/process/directory-lock.ts';
import { every } from './platform/timer.ts';

/** Tasks of this process: serve requests, run jobs, or both. */
interface Role {
  readonly isServing: boolean;
  readonly isWorking: boolean;
}

const roles: Readonly<Record<string, Role>> = {
  '': { isServing: true, isWorking: true },
  serve: { isServing: true, isWorking: false },
  worker: { isServing: false, isWorking: true },
};

/** Cleanup steps, run in reverse order when the process ends. */
type Undo = () => Promise<void>;

/** Prints a line for the operator to standard output; the log goes to standard error. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Database connection, and the folder of its files if the service runs its own server. */
interface DatabaseServer {
  readonly connection: Connection;
  readonly databaseFolder: string | null;
}

async function openDatabaseServer(config: Config, role: Role, undo: Undo[]): Promise<DatabaseServer> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== null) return { connection: { connectionString: databaseUrl }, databaseFolder: null };
  if (!role.isServing) {
    // A worker beside the service uses the service's database; it neither creates, starts nor stops it.
    const { connection, folder } = await findCluster(dataDir);
    return { connection, databaseFolder: folder };
  }
  undo.push(await lockDirectory(dataDir));
  const log = createLog(config.logLevel);
  const own = await startOwnPostgres({ dataDir, log, beforeCreate: () => refuseNewDatabase(dataDir) });
  undo.push(() => own.stop());
  return { connection: own.connection, databaseFolder: own.folder };
}

/** Interval between checks of free disk space, in s. */
const tendDiskSeconds = 5;

async function start(config: Config, role: Role, undo: Undo[]): Promise<void> {
  await refuseUnfinishedRestore(config.uploadsDir);
  const disk = createDisk({ config, log: createLog(config.logLevel) });
  // The database cannot start on a full disk; a reserve is created only when the folder is known to be the right one.
  if ((await disk.problems()).length > 0) await disk.giveUpReserve('before the database starts');
  const { connection, databaseFolder } = await openDatabaseServer(config, role, undo);
  await migrateWithBackup(connection, config, createLog(config.logLevel));
  await claimStorage({ connection, settings: config, databaseFolder, log: createLog(config.logLevel) });
  const { context, close } = await createContext(config, { connection, disk, ...wiringOf(features) });
  undo.push(close);
  undo.push(every(context, tendDiskSeconds, 'tend the disk reserve', () => disk.tend()));
  await warnOfLostKeys(context);
  if (role.isServing) {
    const app: App = await createApp(context, features, createAuthenticator(context));
    undo.push(() => app.stop());
    const address = await app.listen(config.port, config.host);
    await app.startFeatures();
    const publicAddress = config.publicUrl ?? address;
    say(`Stem Studio: ${publicAddress}`);
    const setupLink = await createSetupLink(context, publicAddress);
    if (setupLink !== null) say(`Set up the first account (once): ${setupLink}`);
  }
  if (role.isWorking) {
    await context.queue.start(context);
    undo.push(() => context.queue.stop());
    if (!role.isServing) {
      // Removes files left by a killed worker, as the service does at its start.
      await context.files.sweep(stagingSeconds);
      say('Stem Studio: worker');
    }
  }
}

async function stop(undo: Undo[]): Promise<void> {
  for (const step of undo.splice(0).reverse()) {
    await step().catch((error: unknown) => process.stderr.write(`while stopping: ${messageOf(error)}\n`));
  }
}

/** Returns the message of an expected error, and the stack trace of any other. */
function explain(error: unknown): string {
  const isExpected =
    error instanceof ConfigError ||
    error instanceof NoPostgresError ||
    error instanceof DirectoryLockedError ||
    error instanceof StorageMismatchError ||
    error instanceof BackupError;
  const { code, port } = error as { code?: unknown; port?: unknown };
  if (code === 'EADDRINUSE')
    return `port ${String(port)} is taken: set PORT to another one (0 takes a free one)`;
  return isExpected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
}

/**
 * Runs the service until it is signalled to end; then the process exits.
 *
 * @param name `serve` answers requests and runs no jobs, `worker` runs jobs, the empty name does both
 */
export async function runService(name: string): Promise<void> {
  const role = roles[name];
  if (!role)
    throw new ConfigError([`the role must be serve, worker or nothing (got ${JSON.stringify(name)})`]);
  process.umask(serviceUmask);
  const undo: Undo[] = [];
  let ending: Promise<void> | undefined;
  const end = (code: number) => {
    ending ??= stop(undo).then(() => process.exit(code));
    return ending;
  };
  // A second signal during shutdown ends the process at once; running jobs are recovered at the next start.
  const onSignal = () => (ending ? process.exit(1) : void end(0));
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    await start(readConfig(), role, undo);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    await end(1);
  }
}
