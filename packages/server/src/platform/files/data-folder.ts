import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Permission bits that the service never grants: all access for others, write access for the group. */
export const serviceUmask = 0o027;

/** Mode of stored files: read and write for the service's account, read for its group, no access for others. */
export const fileMode = 0o640;

/** Mode of folders that hold stored files. */
export const folderMode = 0o750;

/**
 * Creates the data directory if it is missing. Existing folders keep their modes. For root the mode is 0711 instead of
 * 0750, because the database inside runs under another account, which must be able to traverse the directory.
 */
export async function createDataFolder(folder: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : folderMode;
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined || process.platform === 'win32') return;
  for (let path = folder; path.length >= first.length; path = dirname(path)) await chmod(path, mode);
}
