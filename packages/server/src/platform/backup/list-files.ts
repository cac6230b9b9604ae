import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { reserveName } from '../disk/reserve-file.ts';
import { isSafePath } from './safe-path.ts';

/** A file below a folder. */
export interface ListedFile {
  /** Relative, `/` between names. */
  readonly path: string;
  readonly bytes: number;
  /** Time of the last change in epoch milliseconds. */
  readonly modifiedMs: number;
}

/** The files below a folder. */
export interface FileListing {
  readonly files: readonly ListedFile[];
  /** Links, sockets and names that no backup can hold. */
  readonly skipped: readonly string[];
}

/** Folders directly below the uploads folder that hold nothing finished: staging and quarantine. */
const leftOutFolders = new Set(['.aside', '.quarantine']);

/** Whether a name directly below the uploads folder is none of a backup's: the disk reserve is made anew where it is missing. */
const isLeftOut = (name: string) =>
  leftOutFolders.has(name) || name === unfinishedRestoreName || name.startsWith(reserveName);

/** Name of the file in the uploads folder that says that a restore was interrupted. */
export const unfinishedRestoreName = '.restore-unfinished';

/**
 * Lists every regular file below a folder by path, but for staging, quarantine and disk reserve; nothing where there is
 * no such folder. A file that is removed meanwhile is left out.
 */
export async function listFiles(root: string, signal: AbortSignal): Promise<FileListing> {
  const files: ListedFile[] = [];
  const skipped: string[] = [];
  const walk = async (folder: string, below: string): Promise<void> => {
    signal.throwIfAborted();
    const entries = (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (below === '' && isLeftOut(entry.name)) continue;
      if (!isSafePath(path)) skipped.push(path);
      else if (entry.isDirectory()) await walk(join(folder, entry.name), path);
      else if (entry.isFile()) {
        const facts = await lstat(join(folder, entry.name)).catch(ignoreMissing);
        if (facts) files.push({ path, bytes: facts.size, modifiedMs: Math.floor(facts.mtimeMs) });
      } else skipped.push(path);
    }
  };
  const real = await realpath(root).catch(ignoreMissing);
  if (real !== null) await walk(real, '');
  return { files, skipped };
}

/** Null for a file or folder that is not there; throws every other error. */
export function ignoreMissing(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}
