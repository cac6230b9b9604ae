import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { CatalogFilesTable, CatalogPlaylistsTable } from '../../platform/db/tables.ts';

/** An audio file of the catalog folder, as its last walk saw it. */
export type CatalogFileRow = Selectable<CatalogFilesTable>;

/** A playlist file of the catalog folder. */
export type CatalogPlaylistRow = Selectable<CatalogPlaylistsTable>;

/** Path, size and time of everything known, to tell what a walk must read again. */
export async function listKnownFiles(db: Db) {
  const [files, playlists] = await Promise.all([
    db.selectFrom('catalog_files').select(['path', 'bytes', 'modified_ms']).execute(),
    db.selectFrom('catalog_playlists').select(['path', 'bytes', 'modified_ms']).execute(),
  ]);
  return [...files, ...playlists];
}

/** Stores what a walk read; a path that was known is replaced. */
export async function upsertFile(db: Db, row: CatalogFileRow): Promise<void> {
  const { catalog_id: _id, ...rest } = row;
  await db
    .insertInto('catalog_files')
    .values(row)
    .onConflict((conflict) => conflict.column('catalog_id').doUpdateSet(rest))
    .execute();
}

/** Stores a playlist; one that was known is replaced. */
export async function upsertPlaylist(db: Db, row: CatalogPlaylistRow): Promise<void> {
  const values = { ...row, entries: JSON.stringify(row.entries) };
  const { playlist_id: _id, ...rest } = values;
  await db
    .insertInto('catalog_playlists')
    .values(values)
    .onConflict((conflict) => conflict.column('playlist_id').doUpdateSet(rest))
    .execute();
}

/** Forgets files and playlists that are gone from the folder. */
export async function deleteFiles(db: Db, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await db.deleteFrom('catalog_files').where('path', 'in', paths).execute();
  await db.deleteFrom('catalog_playlists').where('path', 'in', paths).execute();
}

/** The file with this id, or undefined. */
export function findFile(db: Db, catalogId: string): Promise<CatalogFileRow | undefined> {
  return db.selectFrom('catalog_files').selectAll().where('catalog_id', '=', catalogId).executeTakeFirst();
}

/** The files of an album in the order of its discs and tracks. */
export function listAlbumFiles(db: Db, albumId: string): Promise<CatalogFileRow[]> {
  return db
    .selectFrom('catalog_files')
    .selectAll()
    .where('album_id', '=', albumId)
    .orderBy('disc_number')
    .orderBy('track_number')
    .orderBy('path')
    .execute();
}

/** The playlist with this id, or undefined. */
export function findPlaylist(db: Db, playlistId: string): Promise<CatalogPlaylistRow | undefined> {
  return db
    .selectFrom('catalog_playlists')
    .selectAll()
    .where('playlist_id', '=', playlistId)
    .executeTakeFirst();
}

/** The files at these paths; paths that are unknown are left out. */
export async function listFilesAt(db: Db, paths: readonly string[]): Promise<CatalogFileRow[]> {
  if (paths.length === 0) return [];
  return db.selectFrom('catalog_files').selectAll().where('path', 'in', paths).execute();
}

/** Files of which title, artist and album together contain every word, by artist and album order. */
export async function searchFiles(db: Db, words: readonly string[], offset: number, limit: number) {
  let query = db.selectFrom('catalog_files');
  for (const word of words) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(sql<boolean>`title || ' ' || artist || ' ' || album || ' ' || path ilike ${pattern}`);
  }
  const [rows, count] = await Promise.all([
    query
      .selectAll()
      .orderBy('artist')
      .orderBy('album')
      .orderBy('disc_number')
      .orderBy('track_number')
      .orderBy('path')
      .offset(offset)
      .limit(limit)
      .execute(),
    query.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows satisfies CatalogFileRow[], totalCount: count.total };
}
