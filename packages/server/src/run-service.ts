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

/** What this process does: answer requests, work on jobs, or both. */
interface Role {
  readonly isServing: boolean;
  readonly isWorking: boolean;
}

const roles: Readonly<Record<string, Role>> = {
  '': { isServing: true, isWorking: true },
  serve: { isServing: true, isWorking: false },
  worker: { isServing: false, isWorking: true },
};

/** Undone in the opposite order when the process ends. */
type Undo = () => Promise<void>;

/** Lines for the person at the terminal; the log goes to the standard error. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The database, and where its files are when it is the service's own. */
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

/** So often is it looked how full the disks are. */
const tendDiskSeconds = 5;

async function start(config: Config, role: Role, undo: Undo[]): Promise<void> {
  await refuseUnfinishedRestore(config.uploadsDir);
  const disk = createDisk({ config, log: createLog(config.logLevel) });
  // The database cannot start on a full disk; a reserve is made only when the folder is known to be the right one.
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
      // What a worker that was killed has left; the service does the same at its start.
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

/** What went wrong in words where it was to be expected, with its trace where it was not. */
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
 * Runs the service until it is told to end; then the process ends.
 *
 * @param name `serve` answers requests and does no jobs, `worker` does jobs, the empty name does both
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
  // A second signal while we stop is impatience: end at once; what runs is found again at the next start.
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
