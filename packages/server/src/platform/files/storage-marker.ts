import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { newId } from '../ids.ts';
import { syncFolder } from './folder-walk.ts';

/** Name of the file in a storage folder that says which database the folder belongs to. */
export const markerName = 'stem-studio-storage.json';

const marker = z.object({
  version: z.literal(1),
  /** The identity in the table `storage_identity` of the database. */
  id: z.uuid(),
  created_at: z.iso.datetime(),
  /** Where the service's own PostgreSQL keeps its files; null for one of DATABASE_URL, and in the uploads folder. */
  database_folder: z.string().nullable().default(null),
});

/** Which database a storage folder belongs to. */
export type StorageMarker = z.infer<typeof marker>;

/** A storage folder and the database do not belong together, or that cannot be told; nothing was changed. */
export class StorageMismatchError extends Error {
  override readonly name = 'StorageMismatchError';
}

/**
 * The marker of a folder, or null where there is none.
 *
 * @throws StorageMismatchError when it cannot be read
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

/** Writes the marker of a folder, whole, for its owner only; `replace` takes the place of another one. */
export async function writeMarker(folder: string, content: StorageMarker, replace = false): Promise<void> {
  const path = join(folder, markerName);
  const aside = `${path}.${newId()}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(aside, 0o600);
  if (replace) await rename(aside, path);
  else {
    // A link fails where the name is taken: of two processes that start at once one writes it.
    try {
      await link(aside, path);
    } finally {
      await rm(aside, { force: true });
    }
  }
  await syncFolder(folder);
}
