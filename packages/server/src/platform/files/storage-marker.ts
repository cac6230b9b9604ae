import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { newId } from '../ids.ts';
import { syncFolder } from './folder-walk.ts';

/** Name of the file in a storage folder that identifies the database of the folder. */
export const markerName = 'stem-studio-storage.json';

const marker = z.object({
  version: z.literal(1),
  /** Identity in the table `storage_identity` of the database. */
  id: z.uuid(),
  created_at: z.iso.datetime(),
  /** Folder of the service's own PostgreSQL; null for a database of DATABASE_URL, and in the uploads folder. */
  database_folder: z.string().nullable().default(null),
});

/** Identifies the database that a storage folder belongs to. */
export type StorageMarker = z.infer<typeof marker>;

/** Thrown if a storage folder and the database do not belong together, or if that is unknown. Nothing was changed. */
export class StorageMismatchError extends Error {
  override readonly name = 'StorageMismatchError';
}

/**
 * Returns the marker of a folder, or null if there is none.
 *
 * @throws StorageMismatchError if it cannot be read
 */
export async function readMarker(folder: string): Promise<StorageMarker | null> {
  const path = join(folder, markerName);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new StorageMismatchError(
      `${path} cannot be read (${message}), so it is not known which database ${folder} belongs to. Let the service's account read it`,
    );
  }
  try {
    return marker.parse(JSON.parse(text));
  } catch {
    throw new StorageMismatchError(
      `${path} is damaged or was written by a newer version, so it is not known which database ${folder} belongs to. Restore it from the backup, or move it away and start again: the folder is then recognised by its files`,
    );
  }
}

/** Writes the marker of a folder atomically, readable by its owner only. `replace` overwrites an existing marker. */
export async function writeMarker(folder: string, content: StorageMarker, replace = false): Promise<void> {
  const path = join(folder, markerName);
  const temporaryPath = `${path}.${newId()}`;
  const handle = await open(temporaryPath, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(temporaryPath, 0o600);
  if (replace) await rename(temporaryPath, path);
  else {
    // A link fails if the name exists: of two processes that start at the same time, one writes the marker.
    try {
      await link(temporaryPath, path);
    } finally {
      await rm(temporaryPath, { force: true });
    }
  }
  await syncFolder(folder);
}
