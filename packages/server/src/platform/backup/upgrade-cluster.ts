import { chmod, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { findBinaries, findOlderBinaries } from '../postgres/binaries.ts';
import { type OwnPostgres, startOwnPostgres } from '../postgres/own-postgres.ts';
import { lockDirectory } from '../process/directory-lock.ts';
import type { Worker } from '../queue/worker.ts';
import { BackupError, type BackupWork } from './backup-error.ts';
import { backupName } from './backup-folder.ts';
import { createDatabaseBackup } from './create-backup.ts';
import { ignoreMissing } from './list-files.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

/** Options of an upgrade of the embedded database. */
export interface UpgradeOptions extends BackupWork {
  readonly config: Pick<
    Config,
    'dataDir' | 'uploadsDir' | 'modelsDir' | 'backupsDir' | 'databaseUrl' | 'secretKey' | 'previousSecretKeys'
  >;
  /** Folder of the older PostgreSQL's programs; null for the installed package of that version. */
  readonly binariesFolder: string | null;
  readonly workers: readonly Worker[];
  readonly log: Logger;
  readonly clock: Clock;
}

/** Result of an upgrade. */
export interface UpgradedCluster {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** Folder of the backup of the older database. */
  readonly backup: string;
  /** Folder of the older database, unchanged. */
  readonly kept: string;
}

const stagingName = '.upgrade';

async function findCluster(dataDir: string): Promise<{ folder: string; major: number }> {
  const folder = await realpath(join(dataDir, 'postgres')).catch(ignoreMissing);
  const version = folder && (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(ignoreMissing));
  if (!folder || !version)
    throw new BackupError(`there is no database in ${dataDir}: set DATA_DIR to the data directory`);
  return { folder, major: Number.parseInt(version, 10) };
}

/**
 * Upgrades the embedded database to the PostgreSQL version of this service. Starts the older version, backs it up,
 * restores the backup into a new cluster beside it, and swaps the two when the new one is complete. The older cluster
 * is kept unchanged. If the upgrade fails or is interrupted, everything stays as before.
 *
 * @throws BackupError if there is nothing to upgrade, or if a step fails
 * @throws NoPostgresError if the older PostgreSQL's programs are not installed, with the command that installs them
 */
export async function upgradeCluster(options: UpgradeOptions): Promise<UpgradedCluster> {
  const { config } = options;
  if (config.databaseUrl !== null)
    throw new BackupError('DATABASE_URL is set: upgrade that PostgreSQL with its own tools');
  const { dataDir } = config;
  const unlock = await lockDirectory(dataDir);
  try {
    const { folder, major } = await findCluster(dataDir);
    const ours = (await findBinaries()).major;
    if (major === ours) throw new BackupError(`the database in ${folder} is of PostgreSQL ${ours} already`);
    if (major > ours)
      throw new BackupError(
        `the database in ${folder} is of PostgreSQL ${major}, which is newer than ${ours}`,
      );
    const kept = `${folder}-${major}`;
    if (await stat(kept).catch(ignoreMissing))
      throw new BackupError(`${kept} exists already: move it elsewhere`);
    const backup = await backUpOlder(options, major, ours);
    const rows = await exchange(options, backup, folder, kept);
    return { from: major, to: ours, rows, backup, kept };
  } finally {
    await unlock();
  }
}

/** Runs `work` on an embedded PostgreSQL, and stops it afterwards. */
async function whileRunning<T>(
  starting: Promise<OwnPostgres>,
  work: (own: OwnPostgres) => Promise<T>,
): Promise<T> {
  const own = await starting;
  try {
    return await work(own);
  } finally {
    await own.stop();
  }
}

async function backUpOlder(options: UpgradeOptions, from: number, to: number): Promise<string> {
  const { config, log, clock } = options;
  const binaries = await findOlderBinaries(from, options.binariesFolder);
  const name = backupName(clock.now(), `before-postgresql-${to}-`);
  return whileRunning(startOwnPostgres({ dataDir: config.dataDir, log, binaries }), ({ connection }) =>
    createDatabaseBackup({ connection, config, clock }, { ...options, root: config.backupsDir, name }),
  );
}

async function exchange(
  options: UpgradeOptions,
  backup: string,
  folder: string,
  kept: string,
): Promise<number> {
  const { config, log, clock } = options;
  const staging = join(config.dataDir, stagingName);
  const removeStaging = async () => {
    const real = await realpath(join(staging, 'postgres')).catch(ignoreMissing);
    if (real) await rm(real, { recursive: true, force: true });
    await rm(staging, { recursive: true, force: true });
  };
  await removeStaging();
  await mkdir(staging);
  // The account of the database must be able to traverse the folder, regardless of the umask.
  await chmod(staging, 0o711);
  try {
    const verified = await verifyBackup(backup, clock, options);
    const { rows } = await whileRunning(startOwnPostgres({ dataDir: staging, log }), ({ connection }) =>
      // The stored files belong to the database as before, so nothing is written into their folder.
      restoreBackup(
        verified,
        { ...options, connection, config: { ...config, uploadsDir: join(staging, 'uploads') } },
        options,
      ),
    );
    options.signal.throwIfAborted();
    const complete = await realpath(join(staging, 'postgres'));
    await rename(folder, kept);
    await rename(complete, folder).catch(async (error: unknown) => {
      await rename(kept, folder);
      throw error;
    });
    return rows;
  } finally {
    await removeStaging();
  }
}
