import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { CatalogFilesTable, CatalogPlaylistsTable } from './catalog.tables.ts';
import { storedEntries } from './stored-entries.ts';

/** An audio file of the catalog folder, as of its last scan. */
export type CatalogFileRow = Selectable<CatalogFilesTable>;

/** A playlist file of the catalog folder. */
export type CatalogPlaylistRow = Selectable<CatalogPlaylistsTable>;

/** Returns path, size and time of all known files, to detect those that a scan must read again. */
export async function listKnownFiles(db: Db) {
  const [files, playlists] = await Promise.all([
    db.selectFrom('catalog_files').select(['path', 'bytes', 'modified_ms']).execute(),
    db.selectFrom('catalog_playlists').select(['path', 'bytes', 'modified_ms']).execute(),
  ]);
  return [...files, ...playlists];
}

/** Columns that a scan updates when it reads a file again. */
const readColumns = [
  'path',
  'bytes',
  'modified_ms',
  'title',
  'artist',
  'album',
  'album_id',
  'disc_number',
  'track_number',
  'genre',
  'isrc',
  'duration_ms',
  'has_cover',
  'unusable',
  'problem',
] as const;

/** Stores the files that a scan read, some hundred at a time; known ones are replaced. */
export async function upsertFiles(db: Db, rows: readonly CatalogFileRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('catalog_files')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('catalog_id')
        .doUpdateSet((e) => Object.fromEntries(readColumns.map((name) => [name, e.ref(`excluded.${name}`)]))),
    )
    .execute();
}

/** Stores a playlist; a known one is replaced. */
export async function upsertPlaylist(db: Db, row: CatalogPlaylistRow): Promise<void> {
  const values = { ...row, entries: storedEntries.toText(row.entries) };
  const { playlist_id: _id, ...rest } = values;
  await db
    .insertInto('catalog_playlists')
    .values(values)
    .onConflict((conflict) => conflict.column('playlist_id').doUpdateSet(rest))
    .execute();
}

/** Deletes any number of files and playlists that are gone from the folder. */
export async function deleteFiles(db: Db, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // An array is one parameter: a statement takes 65,535 at most.
  await db.deleteFrom('catalog_files').where('path', '=', anyOf(paths)).execute();
  await db.deleteFrom('catalog_playlists').where('path', '=', anyOf(paths)).execute();
}

const anyOf = (values: readonly string[]) => sql<string>`any(${values}::text[])`;

/** Returns the files that name an album, for their grouping. */
export function listAlbumNames(db: Db) {
  return db
    .selectFrom('catalog_files')
    .select(['path', 'artist', 'album', 'album_id'])
    .where('album_id', 'is not', null)
    .execute();
}

/** Sets the albums of files, by path. */
export async function setAlbumIds(db: Db, albumIds: ReadonlyMap<string, string>): Promise<void> {
  if (albumIds.size === 0) return;
  const paths = [...albumIds.keys()];
  const ids = [...albumIds.values()];
  await sql`update catalog_files set album_id = changed.album_id
    from unnest(${paths}::text[], ${ids}::text[]) as changed (path, album_id)
    where catalog_files.path = changed.path`.execute(db);
}

/** Returns the file with this id, or undefined. */
export function findFile(db: Db, catalogId: string): Promise<CatalogFileRow | undefined> {
  return db.selectFrom('catalog_files').selectAll().where('catalog_id', '=', catalogId).executeTakeFirst();
}

/** Returns the files of an album in the order of its discs and tracks. */
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

/** Returns the playlist with this id, or undefined. */
export async function findPlaylist(db: Db, playlistId: string): Promise<CatalogPlaylistRow | undefined> {
  const row = await db
    .selectFrom('catalog_playlists')
    .selectAll()
    .where('playlist_id', '=', playlistId)
    .executeTakeFirst();
  return row && { ...row, entries: storedEntries.read(db, row.entries, row.path) ?? [] };
}

/** Returns the files at these paths; unknown paths are left out. */
export async function listFilesAt(db: Db, paths: readonly string[]): Promise<CatalogFileRow[]> {
  if (paths.length === 0) return [];
  return db.selectFrom('catalog_files').selectAll().where('path', '=', anyOf(paths)).execute();
}

/** Returns an `ilike` pattern that finds a word anywhere. */
function patternOf(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Returns files whose title, artist, album and path together contain every word, ordered by artist and album. */
export async function searchFiles(db: Db, terms: readonly string[], offset: number, limit: number) {
  let query = db.selectFrom('catalog_files');
  for (const word of terms) {
    query = query.where(
      sql<boolean>`title || ' ' || artist || ' ' || album || ' ' || path ilike ${patternOf(word)}`,
    );
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

/** An album or a playlist of the catalog folder. `cover_of` is one of its tracks with a cover. */
export interface CollectionRow {
  readonly type: 'album' | 'playlist';
  readonly id: string;
  readonly title: string;
  readonly artist: string;
  readonly track_count: number;
  readonly cover_of: string | null;
}

/** Returns playlists, then albums, whose title and artist together contain every word, each sorted by name. */
export async function listCollections(db: Db, terms: readonly string[], offset: number, limit: number) {
  const all = sql<CollectionRow>`
    select 'playlist' as type, playlist_id as id, title, '' as artist,
      case jsonb_typeof(entries) when 'array' then jsonb_array_length(entries) else 0 end as track_count, null as cover_of
    from catalog_playlists
    union all
    select 'album', album_id, min(album), case when min(artist) = max(artist) then min(artist) else '' end,
      count(*)::integer, min(catalog_id) filter (where has_cover)
    from catalog_files where album_id is not null group by album_id`;
  const tests = terms.map((word) => sql`title || ' ' || artist ilike ${patternOf(word)}`);
  const having = tests.length === 0 ? sql`true` : sql.join(tests, sql` and `);
  const [page, count] = await Promise.all([
    sql<CollectionRow>`select * from (${all}) as one where ${having}
      order by type desc, title, artist, id offset ${offset} limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*)::integer as total from (${all}) as one where ${having}`.execute(
      db,
    ),
  ]);
  return { rows: page.rows, totalCount: count.rows[0]?.total ?? 0 };
}

/** Returns the number of files in the folder. */
export async function countFiles(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('catalog_files')
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Returns every file of the folder, ordered by path. */
export function listAllFiles(db: Db): Promise<CatalogFileRow[]> {
  return db.selectFrom('catalog_files').selectAll().orderBy('path').execute();
}
