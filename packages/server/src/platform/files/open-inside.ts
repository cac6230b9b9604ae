import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { pathBytes } from './name-text.ts';

/** A file that was to be read lies outside of its folder, or is no file. */
export class OutsideFolderError extends Error {
  constructor() {
    super('it lies outside of its folder, or is no file');
    this.name = 'OutsideFolderError';
  }
}

/**
 * Opens a file below `root` for reading. Links are followed only while they stay inside, and what was opened is looked
 * at once more by its handle: a link that is swapped meanwhile does not lead outside.
 *
 * @param path below `root`, with `/`, as `nameText` writes it
 * @throws OutsideFolderError, and the system's error where the file cannot be opened
 */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  const realRoot = await realpath(root);
  const real = await realpath(pathBytes(realRoot, path), 'buffer');
  requireInside(realRoot, real);
  // Without O_NONBLOCK a pipe would be waited for.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(real, flags);
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) throw new OutsideFolderError();
    const lies = await placeOf(handle);
    if (lies) requireInside(realRoot, lies);
    else {
      const again = await realpath(real, 'buffer');
      requireInside(realRoot, again);
      const named = await stat(again, { bigint: true });
      if (named.ino !== opened.ino || named.dev !== opened.dev) throw new OutsideFolderError();
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function requireInside(realRoot: string, path: Buffer): void {
  const prefix = Buffer.from(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
  if (!path.subarray(0, prefix.length).equals(prefix)) throw new OutsideFolderError();
}

/** Where an open file lies, where the system tells that. */
function placeOf(handle: FileHandle): Promise<Buffer | null> {
  if (process.platform !== 'linux') return Promise.resolve(null);
  return readlink(`/proc/self/fd/${handle.fd}`, 'buffer').catch(() => null);
}
