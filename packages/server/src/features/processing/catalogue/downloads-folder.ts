import { join } from 'node:path';
import type { Config } from '../../../platform/config.ts';
import { downloadedBytes } from '../../../platform/http/resumable-download.ts';
import { DirectoryLockedError, lockDirectory } from '../../../platform/process/directory-lock.ts';
import type { CatalogueEntry } from './network-catalogue.ts';

/** Error for a network that another process, or another request of this one, downloads or removes. */
export class NetworkBusyError extends Error {
  override readonly name = 'NetworkBusyError';
}

/** Attempts to get the lock; each waits for a second. A cancelled download ends within that time. */
const lockAttempts = 3;

/** Returns the folder of the files of a download, finished or not. It also contains its lock. */
export function downloadFolder({ modelsDir }: Pick<Config, 'modelsDir'>, name: string): string {
  return join(modelsDir, '.downloads', name);
}

/** Returns the path of a downloaded file. */
export function downloadPath(
  config: Pick<Config, 'modelsDir'>,
  { name }: CatalogueEntry,
  index: number,
): string {
  return join(downloadFolder(config, name), `file-${index + 1}`);
}

/** Returns the bytes that are on disk of a download that is not installed. */
export async function partialBytes(
  config: Pick<Config, 'modelsDir'>,
  entry: CatalogueEntry,
): Promise<number> {
  const sizes = await Promise.all(
    entry.files.map((_, index) => downloadedBytes(downloadPath(config, entry, index))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Runs `work` while no other process downloads, installs or removes this network.
 *
 * @throws NetworkBusyError if one does
 */
export async function withDownloadLock<T>(
  config: Pick<Config, 'modelsDir'>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const unlock = await lock(downloadFolder(config, name), name);
  try {
    return await work();
  } finally {
    await unlock();
  }
}

async function lock(folder: string, name: string): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await lockDirectory(folder);
    } catch (error) {
      if (!(error instanceof DirectoryLockedError)) throw error;
      if (attempt === lockAttempts)
        throw new NetworkBusyError(`${name} is already being downloaded or removed: wait until that is done`);
    }
  }
}
