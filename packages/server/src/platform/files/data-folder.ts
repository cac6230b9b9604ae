import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bits that a process of the service never gives to a file or a folder: everything for others, writing for the group. */
export const serviceUmask = 0o027;

/** Mode of stored files: read and written by the service's account, read by its group, closed to everybody else. */
export const fileMode = 0o640;

/** Mode of folders that hold stored files. */
export const folderMode = 0o750;

/**
 * Creates the data directory where it is missing. Existing folders keep their modes. Root's is 0711 instead of 0750:
 * the database inside runs under another account, which must be able to pass through.
 */
export async function createDataFolder(folder: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : folderMode;
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined || process.platform === 'win32') return;
  for (let path = folder; path.length >= first.length; path = dirname(path)) await chmod(path, mode);
}
