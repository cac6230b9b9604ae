import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { storedTexts } from '../../platform/db/stored-texts.ts';
import type { AudioSourceRow } from './audio-sources.store.ts';
import type { TracksTable } from './tracks.tables.ts';

/** Row of a track. */
export type TrackRow = Selectable<TracksTable>;

/** A track with its stored audio. */
export interface TrackWithAudio extends TrackRow {
  readonly audio: (AudioSourceRow & { readonly rendition_path: string | null }) | null;
}

/** Adds the stored audio to rows of tracks. */
export async function withAudio(db: Db, rows: readonly TrackRow[]): Promise<TrackWithAudio[]> {
  const ids = [
    ...new Set(rows.flatMap((row) => (row.audio_source_id === null ? [] : [row.audio_source_id]))),
  ];
  if (ids.length === 0) return rows.map((row) => ({ ...row, audio: null }));
  const [sources, renditions] = await Promise.all([
    db.selectFrom('audio_sources').selectAll().where(sql<boolean>`id = any(${ids}::uuid[])`).execute(),
    db
      .selectFrom('audio_renditions')
      .selectAll()
      .where(sql<boolean>`source_id = any(${ids}::uuid[])`)
      .execute(),
  ]);
  const sourceById = new Map(
    sources.map((source) => [
      source.id,
      { ...source, warnings: storedTexts.read(db, source.warnings, source.id) ?? [] },
    ]),
  );
  const pathOf = new Map(renditions.map((r) => [`${r.source_id} ${r.quality}`, r.file_path]));
  return rows.map((row) => {
    const source = row.audio_source_id === null ? undefined : sourceById.get(row.audio_source_id);
    if (!source) return { ...row, audio: null };
    return {
      ...row,
      audio: { ...source, rendition_path: pathOf.get(`${source.id} ${row.quality}`) ?? null },
    };
  });
}

/** Returns the live track with this id, or undefined. */
export async function findTrack(db: Db, id: string): Promise<TrackWithAudio | undefined> {
  const row = await db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row && (await withAudio(db, [row]))[0];
}

/** Returns the track with this id, deleted or not, or undefined. */
export function findAnyTrack(db: Db, id: string): Promise<TrackRow | undefined> {
  return db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Returns the track with this id, deleted or not, and locks it until the transaction ends. Undefined when there is
 * none.
 */
export function lockTrack(tx: Db, id: string): Promise<TrackRow | undefined> {
  return tx.selectFrom('tracks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Rows per statement, within the parameter limit of PostgreSQL. */
const rowsAtOnce = 500;

/**
 * Inserts new tracks and returns the ids of the inserted ones. A track whose catalog id its user already has, or that
 * is repeated in the list, is not inserted.
 */
export async function insertTracks(db: Db, rows: readonly TrackRow[]): Promise<Set<string>> {
  const inserted = new Set<string>();
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const stored = await db
      .insertInto('tracks')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) => conflict.columns(['user_id', 'catalog_id']).doNothing())
      .returning('id')
      .execute();
    for (const { id } of stored) inserted.add(id);
  }
  return inserted;
}

/**
 * Returns one user's tracks with the catalog ids of `rows`, deleted or not. Locks them in a consistent order until the
 * transaction ends.
 */
export async function lockCatalogTracks(
  db: Db,
  rows: readonly Pick<TrackRow, 'user_id' | 'catalog_id'>[],
): Promise<TrackRow[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = rows.map((row) => row.catalog_id);
  return db
    .selectFrom('tracks')
    .selectAll()
    .where('user_id', '=', first.user_id)
    .where(sql<boolean>`catalog_id = any(${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Restores deleted tracks. */
export async function restoreTracks(db: Db, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('tracks')
    .set({ deleted_at: null, updated_at: now })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

/** Changes a track's own fields. */
export async function updateTrack(db: Db, id: string, change: Updateable<TracksTable>): Promise<void> {
  await db.updateTable('tracks').set(change).where('id', '=', id).execute();
}

/** Returns tracks deleted before `before`, at most `limit`, locked; those locked by another sweeper are skipped. */
export function listExpired(db: Db, before: Date, limit: number): Promise<TrackRow[]> {
  return db
    .selectFrom('tracks')
    .selectAll()
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Returns a user's deleted tracks, at most `limit`, oldest first, locked as in {@link listExpired}. */
export function listDeletedOf(db: Db, userId: number, limit: number): Promise<TrackRow[]> {
  return db
    .selectFrom('tracks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Deletes the row of a track permanently, with all rows that refer to it except its jobs. */
export async function deleteTrack(db: Db, id: string): Promise<void> {
  await db.deleteFrom('tracks').where('id', '=', id).execute();
}

/** Returns the lengths in seconds of the tracks of jobs, in order, deleted or not. Unknown lengths are 0. */
export async function listSeconds(
  db: Db | Tx,
  jobs: readonly { readonly track_id: string }[],
): Promise<number[]> {
  const ids = jobs.map(({ track_id }) => track_id);
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(ceil(coalesce(audio.duration_ms, tracks.duration_ms) / 1000.0), 0)::int as seconds
    from unnest(${ids}::uuid[]) with ordinality as asked (id, position)
    left join tracks on tracks.id = asked.id
    left join audio_sources audio on audio.id = tracks.audio_source_id
    order by asked.position`.execute(db);
  return rows.map(({ seconds }) => seconds);
}

/** Returns titles of tracks, deleted or not, by id. */
export async function listTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('tracks')
    .select(['id', 'title'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.title]));
}
