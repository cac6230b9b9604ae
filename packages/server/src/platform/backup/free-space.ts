import { statfs } from 'node:fs/promises';
import { BackupError } from './backup-error.ts';

/** Space that must stay free in addition to the written data, in bytes. */
const reserveBytes = 64 * 1024 * 1024;

/** Returns a readable size, such as `1.5 GB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power]}`;
}

/**
 * Checks that the disk of a folder has enough free space.
 *
 * @throws BackupError with both numbers if it has not
 */
export async function requireSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (neededBytes + reserveBytes > free)
    throw new BackupError(
      `${folder} has ${sizeText(free)} free, and ${sizeText(neededBytes + reserveBytes)} are needed: free some space, or choose another folder`,
    );
}
