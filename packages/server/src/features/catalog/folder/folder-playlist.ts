import type { SkippedItem } from '@stem-studio/contract/resources/catalog';
import type { Db } from '../../../platform/db/database.ts';
import * as store from '../catalog.store.ts';
import type { CatalogCollection, CatalogEntry } from '../catalog-provider.ts';

/**
 * Reads a playlist file of the folder: its files in order, and the reasons for skipped entries. Null where it is gone.
 */
export async function readFolderPlaylist(
  db: Db,
  id: string,
  toEntry: (row: store.CatalogFileRow) => CatalogEntry,
): Promise<CatalogCollection | null> {
  const playlist = await store.findPlaylist(db, id);
  if (!playlist) return null;
  const paths = playlist.entries.flatMap((entry) => (entry.path === null ? [] : [entry.path]));
  const files = new Map((await store.listFilesAt(db, paths)).map((row) => [row.path, row]));
  const entries: CatalogEntry[] = [];
  const skipped: SkippedItem[] = [];
  for (const { path, title } of playlist.entries) {
    const row = path === null ? undefined : files.get(path);
    if (row) entries.push(toEntry(row));
    else if (path === null) skipped.push({ title, reason: 'lies outside of the catalog folder' });
    else skipped.push({ title, reason: 'is not in the catalog folder' });
  }
  return { title: playlist.title, entries, skipped };
}
