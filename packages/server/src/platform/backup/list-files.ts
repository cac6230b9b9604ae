import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { reserveName } from '../disk/reserve-file.ts';
import { formerStagingName, stagingName } from '../files/local-files.ts';
import { isSafePath } from './safe-path.ts';

/** File below a folder. */
export interface ListedFile {
  /** Relative path with `/` between names. */
  readonly path: string;
  readonly bytes: number;
  /** Modification time in epoch milliseconds. */
  readonly modifiedMs: number;
}

/** Files below a folder. */
export interface FileListing {
  readonly files: readonly ListedFile[];
  /** Links, sockets and names that a backup cannot contain. */
  readonly skipped: readonly string[];
}

/** Folders directly below the uploads folder that contain no lasting files: staging, quarantine and rendered mixes. */
const leftOutFolders = new Set([stagingName, formerStagingName, '.quarantine', 'mixes']);

/**
 * Returns whether a name directly below the uploads folder is excluded from backups. The disk reserve is excluded
 * because it is created again if it is missing.
 */
const isLeftOut = (name: string) =>
  leftOutFolders.has(name) || name === unfinishedRestoreName || name.startsWith(reserveName);

/** Name of the file in the uploads folder that marks an interrupted restore. */
export const unfinishedRestoreName = '.restore-unfinished';

/**
 * Lists all regular files below a folder by path, except staging, quarantine, rendered mixes and disk reserve. Returns nothing if the
 * folder is missing. A file that is removed meanwhile is left out.
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

/** Returns null for a missing file or folder, and throws any other error. */
export function ignoreMissing(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}
