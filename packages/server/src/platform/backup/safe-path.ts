import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { BackupError } from './backup-error.ts';

/**
 * Returns whether a path stays below its folder. It must be relative, with `/` between names of 1 to 255 bytes, and
 * without `.`, `..`, `\` or NUL.
 */
export function isSafePath(path: string): boolean {
  return (
    !/^[A-Za-z]:/.test(path) &&
    path
      .split('/')
      .every(
        (name) =>
          name !== '' &&
          name !== '.' &&
          name !== '..' &&
          !/[\\\0]/.test(name) &&
          Buffer.byteLength(name) <= 255,
      )
  );
}

/**
 * Throws if a file is reached through a link that leads out of the backup.
 *
 * @param root folder of the backup, with links resolved
 */
export async function refuseLinkOutside(root: string, path: string): Promise<void> {
  const real = await realpath(path);
  if (!real.startsWith(root + sep))
    throw new BackupError(`${path} leads outside of the backup (to ${real}): it is not read`);
}
