import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { keyFileOf, keyIdsInUse } from '../crypto/master-keys.ts';
import type { Connection } from '../db/connection.ts';
import { type Migration, migrate, readMigrations } from '../db/migrate.ts';
import { copyFileHashed, hashFile } from '../files/hash-file.ts';
import { quarantineName } from '../files/quarantine.ts';
import { requeueUnfinishedJobs } from '../queue/requeue-jobs.ts';
import type { Worker } from '../queue/worker.ts';
import { secondsLeft } from '../seconds-left.ts';
import { withBackupConnection } from './backup-connection.ts';
import { BackupError, type BackupWork } from './backup-error.ts';
import { forEachFew } from './copy-files.ts';
import { whileNothingIsDeleted } from './deletion-hold.store.ts';
import { requireSpace } from './free-space.ts';
import { ignoreMissing, listFiles, unfinishedRestoreName } from './list-files.ts';
import { loadDatabase } from './load-database.store.ts';
import { backupParts, type FileEntry, type Manifest } from './manifest.ts';
import { listSchemaObjects } from './schema-facts.store.ts';
import type { VerifiedBackup } from './verify-backup.ts';

/** Target of a restore. */
export interface RestoreTarget {
  readonly connection: Connection;
  readonly config: Pick<Config, 'dataDir' | 'uploadsDir' | 'modelsDir' | 'secretKey' | 'previousSecretKeys'>;
  /** Workers of the service, which determine the queue of an unfinished job. */
  readonly workers: readonly Worker[];
  readonly log: Logger;
  readonly clock: Clock;
}

/** Result of a restore. */
export interface Restored {
  readonly manifest: Manifest;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  /** Migrations of this version of the service that the backup did not have. */
  readonly migrated: readonly string[];
  /** Number of unfinished jobs that were added to the queue again. */
  readonly requeued: number;
  /**
   * Key file: `restored` from the backup; `kept`: another one existed; `needed`: must be copied manually; `none`: no
   * action needed.
   */
  readonly key: 'restored' | 'kept' | 'needed' | 'none';
}

const filesAtOnce = 4;

/** Returns the service's migrations that a backup lists. Throws a BackupError if one is unknown. */
async function knownMigrations(manifest: Manifest): Promise<Migration[]> {
  const known = new Map((await readMigrations()).map((migration) => [migration.name, migration]));
  return manifest.database.migrations.map(({ name, checksum }) => {
    const migration = known.get(name);
    if (!migration)
      throw new BackupError(
        `the backup has the migration ${name}, which this version does not know: it is newer. Restore it with that version`,
      );
    if (migration.checksum !== checksum)
      throw new BackupError(`the migration ${name} of the backup differs from the one of this version`);
    return migration;
  });
}

function targetPathOf(entry: FileEntry, { config }: RestoreTarget): string {
  const [part, ...names] = entry.path.split('/');
  const root = part === 'models' ? config.modelsDir : config.uploadsDir;
  return join(root, ...names);
}

async function readUnfinished(uploadsDir: string): Promise<string | null> {
  const text = await readFile(join(uploadsDir, unfinishedRestoreName), 'utf8').catch(ignoreMissing);
  return text?.trim() ?? null;
}

/** Throws if a restore into the folders is in progress or was interrupted, so that no service starts on them. */
export async function refuseUnfinishedRestore(uploadsDir: string): Promise<void> {
  if ((await readUnfinished(uploadsDir)) === null) return;
  throw new BackupError(
    `a restore was interrupted: run the same "studio restore" again, which continues where it stopped. To abandon it, empty the database, delete what the restore has put into ${uploadsDir}, and last ${join(uploadsDir, unfinishedRestoreName)}`,
  );
}

async function requireEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const { files } = await listFiles(folder, new AbortController().signal);
    if (files[0])
      throw new BackupError(
        `${folder} is not empty (it has ${files[0].path} and ${files.length - 1} more): a restore needs empty folders. Stop the service and set DATA_DIR (or UPLOADS_DIR, MODELS_DIR) to a new folder`,
      );
  }
}

async function schemaObjects(target: RestoreTarget, signal: AbortSignal): Promise<string[]> {
  return withBackupConnection(target.connection, signal, listSchemaObjects);
}

function refuseFullDatabase(objects: readonly string[]): void {
  if (objects.length === 0) return;
  throw new BackupError(
    `the database is not empty (it has ${objects[0]} and ${objects.length - 1} more tables): a restore needs an empty one. Stop the service and set DATA_DIR to a new folder; with DATABASE_URL, create a new database ("create database NAME") and name that there`,
  );
}

/** Creates a progress meter over both stages that transfer bytes. */
function createMeter(total: number, clock: Clock, work: BackupWork) {
  let done = 0;
  const startedMs = clock.monotonicMs();
  return (stage: string) => (bytes: number) => {
    done += bytes;
    const fraction = Math.min(1, done / Math.max(1, total));
    const left = secondsLeft(clock.monotonicMs() - startedMs, fraction);
    work.onProgress(fraction, stage, left ?? undefined);
  };
}

/**
 * Restores one file atomically and verifies it by reading it back. A complete file of an interrupted restore is kept.
 */
async function restoreFile(
  backup: VerifiedBackup,
  entry: FileEntry,
  target: RestoreTarget,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const path = targetPathOf(entry, target);
  const source = join(backup.folder, backupParts.files, entry.path);
  const there = await hashFile(path, signal).catch(ignoreMissing);
  if (there?.sha256 === entry.sha256) return onBytes(entry.bytes);
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  const staging = `${path}.restoring`;
  await rm(staging, { force: true });
  const copied = await copyFileHashed(source, staging, signal, onBytes);
  const written = await hashFile(staging, signal);
  if (copied.sha256 !== entry.sha256 || written.sha256 !== entry.sha256)
    throw new BackupError(
      `${entry.path} came out differently from how it was backed up: the disk may be faulty`,
    );
  await rename(staging, path);
}

async function restoreKey(backup: VerifiedBackup, { config }: RestoreTarget): Promise<Restored['key']> {
  const path = keyFileOf(config.dataDir);
  if (!backup.manifest.key) {
    const present = new Set(keyIdsInUse(config));
    return backup.manifest.key_ids.every((id) => present.has(id)) ? 'none' : 'needed';
  }
  const text = await readFile(join(backup.folder, backupParts.key), 'utf8');
  const present = await readFile(path, 'utf8').catch(ignoreMissing);
  if (present !== null) return present === text ? 'restored' : 'kept';
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(path, text, { mode: 0o600, flush: true });
  return 'restored';
}

/** Removes the files of a failed restore from folders that were empty before, except a quarantine. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of (await readdir(folder).catch(ignoreMissing)) ?? [])
    if (name !== quarantineName) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Restores a verified backup into an empty database and empty folders. The service and PostgreSQL may be newer than
 * those of the backup. Verifies each file by reading it back. An interrupted restore is undone if the database is not
 * complete yet; one that was killed, or interrupted later, is completed by running it again.
 *
 * @throws BackupError if the backup is newer, or if the target is not empty; nothing is changed then
 */
export async function restoreBackup(
  backup: VerifiedBackup,
  target: RestoreTarget,
  work: BackupWork,
): Promise<Restored> {
  const migrations = await knownMigrations(backup.manifest);
  return whileNothingIsDeleted(target.connection, work.signal, async () => {
    await restoreData(backup, migrations, target, work);
    work.onProgress(1, 'migrations and jobs');
    const migrated = await migrate(target.connection);
    const requeued = await requeueUnfinishedJobs(target.connection, target.workers, target.log);
    const key = await restoreKey(backup, target);
    await rm(join(target.config.uploadsDir, unfinishedRestoreName), { force: true });
    const { manifest } = backup;
    return {
      manifest,
      rows: manifest.database.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: backup.files.length,
      bytes: manifest.files?.bytes ?? 0,
      migrated,
      requeued,
      key,
    };
  });
}

/** Restores files and tables, unless an interrupted restore of the same backup has done so. */
async function restoreData(
  backup: VerifiedBackup,
  migrations: readonly Migration[],
  target: RestoreTarget,
  work: BackupWork,
): Promise<void> {
  const { manifest } = backup;
  const { uploadsDir, modelsDir } = target.config;
  const { signal } = work;
  const folders = manifest.files === null ? [] : [uploadsDir, ...(manifest.has_models ? [modelsDir] : [])];
  const objects = await schemaObjects(target, signal);
  const isResumed = (await readUnfinished(uploadsDir)) === backup.sha256;
  if (isResumed && objects.length > 0) return;
  if (!isResumed) {
    refuseFullDatabase(objects);
    await requireEmpty(folders);
  }
  const inFiles = manifest.files?.bytes ?? 0;
  // The dumps are compressed, so their size as text is estimated.
  const inTables = manifest.database.tables.reduce((sum, { bytes }) => sum + bytes * 5, 0);
  const meter = createMeter(inFiles + inTables, target.clock, work);
  try {
    for (const root of [uploadsDir, ...folders]) await mkdir(root, { recursive: true, mode: 0o750 });
    if (!isResumed) await requireSpace(uploadsDir, inFiles);
    const marker = join(uploadsDir, unfinishedRestoreName);
    await writeFile(marker, `${backup.sha256}\n`, { mode: 0o640, flush: true });
    await forEachFew(backup.files, filesAtOnce, (entry) =>
      restoreFile(backup, entry, target, signal, meter('files')),
    );
    await withBackupConnection(target.connection, signal, (client) =>
      loadDatabase(client, backup.folder, manifest.database, migrations, {
        signal,
        onBytes: meter('database'),
      }),
    );
  } catch (error) {
    // If the database is loaded, running the restore again completes it; otherwise everything is removed.
    const left = await schemaObjects(target, new AbortController().signal).catch(() => null);
    if (left?.length === 0) {
      await rm(join(uploadsDir, unfinishedRestoreName), { force: true });
      for (const root of folders) await emptyFolder(root);
    }
    throw error;
  }
}
