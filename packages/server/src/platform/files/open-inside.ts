import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { pathBytes } from './name-text.ts';

/** Thrown if a file to read is outside its folder, or is not a regular file. */
export class OutsideFolderError extends Error {
  constructor() {
    super('it lies outside of its folder, or is no file');
    this.name = 'OutsideFolderError';
  }
}

/**
 * Opens a file below `root` for reading. Links are followed only while they stay inside. The opened file is checked
 * again by its handle, so a link that is replaced meanwhile cannot lead outside.
 *
 * @param path path below `root`, with `/`, encoded by `nameText`
 * @throws OutsideFolderError, and the system's error if the file cannot be opened
 */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  const realRoot = await realpath(root);
  const real = await realpath(pathBytes(realRoot, path), 'buffer');
  requireInside(realRoot, real);
  // Without O_NONBLOCK opening a pipe would block.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(real, flags);
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) throw new OutsideFolderError();
    const lies = await pathOfHandle(handle);
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

/** Returns the path of an open file if the operating system reports it, else null. */
function pathOfHandle(handle: FileHandle): Promise<Buffer | null> {
  if (process.platform !== 'linux') return Promise.resolve(null);
  return readlink(`/proc/self/fd/${handle.fd}`, 'buffer').catch(() => null);
}
