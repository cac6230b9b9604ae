import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Hashed, hashFile } from '../files/hash-file.ts';
import { BackupError } from './backup-error.ts';
import { ignoreMissing } from './list-files.ts';
import { backupParts, type FileEntry, type Manifest, parseFileLine } from './manifest.ts';

const linesAtOnce = 1000;

/** Writes the list of stored files, one line of JSON per file, ordered by path. Returns its size and hash. */
export async function writeFileList(folder: string, entries: readonly FileEntry[]): Promise<Hashed> {
  const path = join(folder, backupParts.fileList);
  const to: FileHandle = await open(path, 'wx', 0o640);
  try {
    for (let at = 0; at < entries.length; at += linesAtOnce) {
      const lines = entries.slice(at, at + linesAtOnce).map((entry) => `${JSON.stringify(entry)}\n`);
      await to.writeFile(lines.join(''));
    }
    await to.sync();
  } finally {
    await to.close();
  }
  return hashFile(path, new AbortController().signal);
}

/**
 * Reads the list of stored files of a backup. It is empty for a backup of the database alone.
 *
 * @throws BackupError if the list is missing, damaged or contains a path that leads outside
 */
export async function readFileList(
  folder: string,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<FileEntry[]> {
  if (manifest.files === null) return [];
  const path = join(folder, backupParts.fileList);
  const hashed = await hashFile(path, signal).catch(ignoreMissing);
  if (hashed === null) throw new BackupError(`${backupParts.fileList} is missing`);
  if (hashed.sha256 !== manifest.files.list.sha256)
    throw new BackupError(`${backupParts.fileList} differs from its hash: it was changed or damaged`);
  const entries: FileEntry[] = [];
  const seen = new Set<string>();
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    signal.throwIfAborted();
    const entry = parseFileLine(line, entries.length + 1);
    if (seen.has(entry.path)) throw new BackupError(`${backupParts.fileList} names ${entry.path} twice`);
    seen.add(entry.path);
    entries.push(entry);
  }
  if (entries.length !== manifest.files.count)
    throw new BackupError(
      `${backupParts.fileList} names ${entries.length} files, and ${backupParts.manifest} says ${manifest.files.count}`,
    );
  return entries;
}
