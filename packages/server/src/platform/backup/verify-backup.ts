import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Hashed, hashFile } from '../files/hash-file.ts';
import { secondsLeft } from '../seconds-left.ts';
import { BackupError, type BackupWork } from './backup-error.ts';
import { forEachFew } from './copy-files.ts';
import { readFileList } from './file-list.ts';
import { ignoreMissing, listFiles } from './list-files.ts';
import { backupParts, dumpPath, type FileEntry, type Manifest, readManifest } from './manifest.ts';
import { readDump } from './read-dump.ts';
import { refuseLinkOutside } from './safe-path.ts';

/** Backup whose content was verified. */
export interface VerifiedBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Hash of the manifest, which identifies the backup. */
  readonly sha256: string;
  readonly files: readonly FileEntry[];
  /** Files in the folder that the manifest does not list. They are never restored. */
  readonly unknown: readonly string[];
}

interface Part extends Hashed {
  readonly path: string;
}

function partsOf(manifest: Manifest, files: readonly FileEntry[]): Part[] {
  return [
    ...manifest.database.tables.map((table) => ({ ...table, path: dumpPath(table.name) })),
    ...(manifest.key ? [{ ...manifest.key, path: backupParts.key }] : []),
    ...files.map((file) => ({ ...file, path: `${backupParts.files}/${file.path}` })),
  ];
}

/**
 * Verifies a backup. Every part must exist with its size and SHA-256, and every dump must decompress to the rows and
 * columns that the manifest lists.
 *
 * @throws BackupError with the name of the first part that is missing or damaged
 */
export async function verifyBackup(folder: string, clock: Clock, work: BackupWork): Promise<VerifiedBackup> {
  const { signal } = work;
  const { manifest, sha256 } = await readManifest(folder);
  const files = await readFileList(folder, manifest, signal);
  const root = await realpath(folder);
  const parts = partsOf(manifest, files);
  const total = Math.max(
    1,
    parts.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const startedMs = clock.monotonicMs();
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    const fraction = Math.min(1, done / total);
    const left = secondsLeft(clock.monotonicMs() - startedMs, fraction);
    work.onProgress(fraction, 'verifying', left ?? undefined);
  };
  await forEachFew(parts, 2, async ({ path, bytes, sha256: wanted }) => {
    const full = join(root, path);
    const facts = await lstat(full).catch(ignoreMissing);
    if (!facts) throw new BackupError(`${path} is missing from the backup`);
    if (!facts.isFile()) throw new BackupError(`${path} is not a file: it is not read`);
    await refuseLinkOutside(root, full);
    if (facts.size !== bytes)
      throw new BackupError(
        `${path} has ${facts.size} bytes, and it was written with ${bytes}: it is damaged`,
      );
    if ((await hashFile(full, signal, onBytes)).sha256 !== wanted)
      throw new BackupError(`${path} differs from its SHA-256 in the manifest: it is damaged`);
  });
  for (const table of manifest.database.tables) await readDump(root, table, drain, signal);
  const known = new Set([
    backupParts.manifest,
    backupParts.manifestHash,
    ...(manifest.files ? [backupParts.fileList] : []),
    ...parts.map(({ path }) => path),
  ]);
  const there = await listFiles(root, signal);
  const unknown = [...there.files.map(({ path }) => path), ...there.skipped].filter(
    (path) => !known.has(path),
  );
  return { folder: root, manifest, sha256, files, unknown };
}

async function drain(rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of rows) void piece;
}
