import { link, lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyFileHashed } from '../files/hash-file.ts';
import { ignoreMissing, type ListedFile } from './list-files.ts';
import type { FileEntry } from './manifest.ts';

const filesAtOnce = 4;

/** Files of an earlier backup, which are reused if they have not changed. */
export interface EarlierFiles {
  /** Its folder `files`. */
  readonly folder: string;
  /** Its files by path. */
  readonly entries: ReadonlyMap<string, FileEntry>;
}

/** Files to copy into a backup. */
export interface CopyPlan {
  /** Folder of the source. */
  readonly source: string;
  readonly files: readonly ListedFile[];
  /** Folder in the backup: `uploads` or `models`. */
  readonly part: 'uploads' | 'models';
}

/** Result of copying the files of a backup. */
export interface CopyResult {
  readonly entries: FileEntry[];
  readonly copied: { files: number; bytes: number };
  readonly linked: { files: number; bytes: number };
}

/**
 * Returns the entry of an earlier backup with the same content as a file. Compares path, size and modification time.
 */
export function unchangedEntry(
  earlier: EarlierFiles | null,
  part: string,
  file: ListedFile,
): FileEntry | undefined {
  const entry = earlier?.entries.get(`${part}/${file.path}`);
  return entry?.bytes === file.bytes && entry.modified_ms === file.modifiedMs ? entry : undefined;
}

/**
 * Runs `work` for all items, at most `atOnce` concurrently. After the first error no more items are started, and it is
 * thrown when the running ones have ended.
 */
export async function forEachFew<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let isFailed = false;
  const lane = async () => {
    while (next < items.length && !isFailed) {
      const item = items[next] as T;
      next += 1;
      try {
        await work(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/**
 * Puts files into the folder `files` of a backup. An unchanged file becomes a hard link to the earlier backup's file if
 * the file system supports it, any other file is copied. A file that was deleted meanwhile is left out.
 *
 * @param target folder `files` of the new backup
 * @param earlier complete backup beside it, or null
 */
export async function copyIntoBackup(
  target: string,
  plan: CopyPlan,
  earlier: EarlierFiles | null,
  work: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<CopyResult> {
  const entries: FileEntry[] = [];
  const copied = { files: 0, bytes: 0 };
  const linked = { files: 0, bytes: 0 };
  const folders = new Set<string>();
  await forEachFew(plan.files, filesAtOnce, async (file) => {
    work.signal.throwIfAborted();
    const path = `${plan.part}/${file.path}`;
    const to = join(target, path);
    if (!folders.has(dirname(to))) {
      await mkdir(dirname(to), { recursive: true, mode: 0o750 });
      folders.add(dirname(to));
    }
    const unchanged = unchangedEntry(earlier, plan.part, file);
    if (earlier && unchanged && (await linkWhole(join(earlier.folder, path), to, file.bytes))) {
      entries.push({ ...unchanged, path });
      linked.files += 1;
      linked.bytes += unchanged.bytes;
      return;
    }
    const done = await copyFileHashed(join(plan.source, file.path), to, work.signal, work.onBytes).catch(
      ignoreMissing,
    );
    if (done === null) return;
    entries.push({ path, bytes: done.bytes, modified_ms: done.modifiedMs, sha256: done.sha256 });
    copied.files += 1;
    copied.bytes += done.bytes;
  });
  return { entries, copied, linked };
}

/** Creates a hard link. Returns false if the file is missing, has another size, or the file system rejects the link. */
async function linkWhole(from: string, to: string, bytes: number): Promise<boolean> {
  const facts = await lstat(from).catch(ignoreMissing);
  if (!facts?.isFile() || facts.size !== bytes) return false;
  return link(from, to).then(
    () => true,
    () => false,
  );
}
