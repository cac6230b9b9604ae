import { copyFile, mkdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Client } from 'pg';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { keyFileOf, keyIdsInUse } from '../crypto/master-keys.ts';
import type { Connection } from '../db/connection.ts';
import { hashFile } from '../files/hash-file.ts';
import { secondsLeft } from '../seconds-left.ts';
import { withBackupConnection } from './backup-connection.ts';
import { BackupError, type BackupWork } from './backup-error.ts';
import { backupName, listBackups, publishBackup } from './backup-folder.ts';
import { type CopyPlan, copyIntoBackup, type EarlierFiles, unchangedEntry } from './copy-files.ts';
import { whileNothingIsDeleted } from './deletion-hold.store.ts';
import { beginSnapshot, dumpDatabase } from './dump-database.store.ts';
import { readFileList, writeFileList } from './file-list.ts';
import { requireSpace } from './free-space.ts';
import { ignoreMissing, listFiles } from './list-files.ts';
import {
  backupParts,
  type DatabaseEntry,
  type FileEntry,
  type Manifest,
  manifestVersion,
  writeManifest,
} from './manifest.ts';
import { listNamedFiles, listTables } from './schema-facts.store.ts';

/** Source of a backup. */
export interface BackupSource {
  readonly connection: Connection;
  readonly config: Pick<Config, 'dataDir' | 'uploadsDir' | 'modelsDir' | 'secretKey' | 'previousSecretKeys'>;
  readonly clock: Clock;
}

/** Target and content of a backup. */
export interface BackupOptions extends BackupWork {
  /** Folder of backups, in which the new one becomes a subfolder. */
  readonly root: string;
  readonly includesModels?: boolean;
  /** Whether the key file is included. It decrypts the secrets in the database. */
  readonly includesKey?: boolean;
}

/** Finished backup. */
export interface CreatedBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly copied: { readonly files: number; readonly bytes: number };
  /** Files unchanged since the previous backup, shared with it. */
  readonly linked: { readonly files: number; readonly bytes: number };
  /** Paths that are neither files nor folders, and so are not part of the backup. */
  readonly skipped: readonly string[];
}

/** Creates a progress meter that converts bytes to fractions and remaining time. */
function createMeter(work: BackupWork, clock: Clock) {
  let total = 1;
  let done = 0;
  const startedMs = clock.monotonicMs();
  return {
    expect: (bytes: number) => {
      total = Math.max(1, bytes);
    },
    add: (stage: string) => (bytes: number) => {
      done += bytes;
      const fraction = Math.min(1, done / total);
      const left = secondsLeft(clock.monotonicMs() - startedMs, fraction);
      work.onProgress(fraction, stage, left ?? undefined);
    },
  };
}

async function findEarlier(root: string, signal: AbortSignal): Promise<EarlierFiles | null> {
  const { backups } = await listBackups(root);
  const last = backups.findLast(({ manifest }) => manifest.files !== null);
  if (!last) return null;
  try {
    const entries = await readFileList(last.folder, last.manifest, signal);
    const folder = join(last.folder, backupParts.files);
    return { folder, entries: new Map(entries.map((entry) => [entry.path, entry])) };
  } catch (error) {
    // A damaged earlier backup must not prevent a new one.
    if (error instanceof BackupError) return null;
    throw error;
  }
}

async function plansOf(source: BackupSource, options: BackupOptions) {
  const { uploadsDir, modelsDir } = source.config;
  const uploads = await listFiles(uploadsDir, options.signal);
  const models = options.includesModels ? await listFiles(modelsDir, options.signal) : null;
  const plans: CopyPlan[] = [{ part: 'uploads', source: uploadsDir, files: uploads.files }];
  if (models) plans.push({ part: 'models', source: modelsDir, files: models.files });
  return { plans, skipped: [...uploads.skipped, ...(models?.skipped ?? [])] };
}

async function databaseBytes(client: Client): Promise<number> {
  return (await listTables(client)).reduce((sum, { bytes }) => sum + bytes, 0);
}

interface FilesOfBackup extends Pick<CreatedBackup, 'copied' | 'linked' | 'skipped'> {
  readonly database: DatabaseEntry;
  readonly files: Manifest['files'];
  readonly missing: Manifest['missing'];
}

/** Writes a snapshot of the database and every file that it references. */
async function writeParts(
  source: BackupSource,
  options: BackupOptions,
  folder: string,
): Promise<FilesOfBackup> {
  const { signal } = options;
  const meter = createMeter(options, source.clock);
  const earlier = await findEarlier(options.root, signal);
  return whileNothingIsDeleted(source.connection, signal, async () => {
    const snapshot = await withBackupConnection(source.connection, signal, async (client) => {
      await beginSnapshot(client);
      // Files exist before the rows that reference them, so all files of the snapshot are listed now.
      const named = await listNamedFiles(client);
      const listed = await plansOf(source, options);
      const inDatabase = await databaseBytes(client);
      const toCopy = listed.plans.flatMap((plan) =>
        plan.files.filter((file) => !unchangedEntry(earlier, plan.part, file)),
      );
      const inFiles = toCopy.reduce((sum, { bytes }) => sum + bytes, 0);
      await requireSpace(folder, inDatabase + inFiles);
      meter.expect(inDatabase + inFiles);
      const work = { signal, onBytes: meter.add('database') };
      return { ...listed, named, database: await dumpDatabase(client, folder, work) };
    });
    const target = join(folder, backupParts.files);
    await mkdir(target, { mode: 0o750 });
    const entries: FileEntry[] = [];
    const copied = { files: 0, bytes: 0 };
    const linked = { files: 0, bytes: 0 };
    for (const plan of snapshot.plans) {
      const work = { signal, onBytes: meter.add(plan.part === 'models' ? 'models' : 'files') };
      const result = await copyIntoBackup(target, plan, earlier, work);
      entries.push(...result.entries);
      for (const [sum, more] of [[copied, result.copied] as const, [linked, result.linked] as const]) {
        sum.files += more.files;
        sum.bytes += more.bytes;
      }
    }
    entries.sort((a, b) => (a.path < b.path ? -1 : 1));
    const there = new Set(entries.map(({ path }) => path));
    const missing = [...snapshot.named].filter((path) => !there.has(`uploads/${path}`)).toSorted();
    return {
      database: snapshot.database,
      files: {
        count: entries.length,
        bytes: copied.bytes + linked.bytes,
        list: await writeFileList(folder, entries),
      },
      missing: { count: missing.length, first: missing.slice(0, 100) },
      copied,
      linked,
      skipped: snapshot.skipped,
    };
  });
}

async function includeKey(source: BackupSource, folder: string): Promise<Manifest['key']> {
  const path = keyFileOf(source.config.dataDir);
  if (!(await stat(path).catch(ignoreMissing))) {
    const reason = source.config.secretKey === null ? '' : ': the key is SECRET_KEY, keep it by itself';
    throw new BackupError(`there is no key file ${path} to include${reason}`);
  }
  const target = join(folder, backupParts.key);
  await copyFile(path, target);
  return hashFile(target, new AbortController().signal);
}

/**
 * Checks that the folder of backups is outside the source folders. Otherwise each backup would become part of the next
 * one.
 */
async function requireOutside(
  { config }: BackupSource,
  { root, includesModels }: BackupOptions,
): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o750 });
  const real = await realpath(root);
  for (const folder of [config.uploadsDir, ...(includesModels ? [config.modelsDir] : [])]) {
    const source = await realpath(folder).catch(ignoreMissing);
    if (source !== null && (real === source || real.startsWith(source + sep)))
      throw new BackupError(
        `backups must lie outside of ${folder}, or each would be part of the next one (got ${root}): name another folder with --to, or in BACKUPS_DIR`,
      );
  }
}

/**
 * Backs up the database and all stored files, whether the service runs or not. The database is a snapshot of one
 * moment, with all files that it references. Deletions wait meanwhile. Unchanged files are hard links to the newest
 * earlier backup in the same folder; each backup is complete by itself. If it fails or is cancelled, nothing remains.
 *
 * @throws BackupError if disk space is insufficient, another backup runs, the database is empty, or the folder of
 *   backups is inside a source folder
 */
export async function createBackup(source: BackupSource, options: BackupOptions): Promise<CreatedBackup> {
  const now = source.clock.now();
  await requireOutside(source, options);
  let created: Omit<CreatedBackup, 'folder'> | undefined;
  const folder = await publishBackup(options.root, backupName(now), async (staging) => {
    const { database, files, missing, ...rest } = await writeParts(source, options, staging);
    const manifest: Manifest = {
      format: 'stem-studio-backup',
      version: manifestVersion,
      kind: 'full',
      created_at: now.toISOString(),
      database,
      files,
      has_models: options.includesModels === true,
      key: options.includesKey === true ? await includeKey(source, staging) : null,
      key_ids: keyIdsInUse(source.config),
      missing,
    };
    await writeManifest(staging, manifest);
    created = { manifest, ...rest };
  });
  if (!created) throw new Error('a backup was published that was not written');
  return { folder, ...created };
}

/**
 * Backs up the database alone. Used before migrations, which change no files.
 *
 * @param name name of the backup's folder below `root`
 */
export async function createDatabaseBackup(
  source: BackupSource,
  options: BackupWork & { readonly root: string; readonly name: string },
): Promise<string> {
  const { signal } = options;
  const meter = createMeter(options, source.clock);
  return publishBackup(options.root, options.name, async (staging) => {
    const database = await withBackupConnection(source.connection, signal, async (client) => {
      await beginSnapshot(client);
      const bytes = await databaseBytes(client);
      await requireSpace(staging, bytes);
      meter.expect(bytes);
      return dumpDatabase(client, staging, { signal, onBytes: meter.add('database') });
    });
    await writeManifest(staging, {
      format: 'stem-studio-backup',
      version: manifestVersion,
      kind: 'database',
      created_at: source.clock.now().toISOString(),
      database,
      files: null,
      has_models: false,
      key: null,
      key_ids: keyIdsInUse(source.config),
      missing: { count: 0, first: [] },
    });
  });
}
