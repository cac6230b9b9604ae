import type { TrackSort } from '@stem-studio/contract/endpoints/tracks';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import { type Expression, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { AudioSourcesTable, TracksTable } from '../../platform/db/tables.ts';

/** A track's own row. */
export type TrackRow = Selectable<TracksTable>;
/** What was received, once however many users have it. */
export type AudioSourceRow = Selectable<AudioSourcesTable>;

/** A track with what the disk holds of it. */
export interface TrackWithAudio extends TrackRow {
  readonly audio: (AudioSourceRow & { readonly rendition_path: string | null }) | null;
}

/** How a list of tracks is narrowed. */
export interface TrackFilter {
  readonly userId: number;
  readonly words: readonly string[];
  readonly key?: string | undefined;
  readonly bpmMin?: number | undefined;
  readonly bpmMax?: number | undefined;
  readonly tag?: string | undefined;
}

/** Adds to rows of tracks what the disk holds of them. */
export async function withAudio(db: Db, rows: readonly TrackRow[]): Promise<TrackWithAudio[]> {
  const ids = [
    ...new Set(rows.flatMap((row) => (row.audio_source_id === null ? [] : [row.audio_source_id]))),
  ];
  if (ids.length === 0) return rows.map((row) => ({ ...row, audio: null }));
  const [sources, renditions] = await Promise.all([
    db.selectFrom('audio_sources').selectAll().where('id', 'in', ids).execute(),
    db.selectFrom('audio_renditions').selectAll().where('source_id', 'in', ids).execute(),
  ]);
  const sourceById = new Map(sources.map((source) => [source.id, source]));
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

/** The live track with this id, or undefined. */
export async function findTrack(db: Db, id: string): Promise<TrackWithAudio | undefined> {
  const row = await db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row && (await withAudio(db, [row]))[0];
}

/** The track with this id, deleted or not, or undefined. */
export function findAnyTrack(db: Db, id: string): Promise<TrackRow | undefined> {
  return db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Rows of one statement: few enough for the parameters that PostgreSQL takes. */
const rowsAtOnce = 500;

/**
 * Stores new tracks; answers the ids of those that are stored. One whose catalog id its user has already, or that stands
 * twice in the list, is not.
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
 * One user's tracks of the catalog ids of `rows`, deleted or not, locked for this transaction in an order that all
 * share.
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

/** Brings deleted tracks back. */
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

const sortColumns = {
  created_at: 'created_at',
  title: 'title',
  artist: 'artist',
  bpm: 'bpm',
  key: 'key',
  duration: 'duration_ms',
} as const;

/** A page of live tracks and how many there are in all. */
export async function listTracks(
  db: Db,
  filter: TrackFilter,
  sort: TrackSort,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ rows: TrackWithAudio[]; totalCount: number }> {
  const conditions: Expression<SqlBool>[] = [
    sql<boolean>`user_id = ${filter.userId}`,
    sql<boolean>`deleted_at is null`,
  ];
  for (const word of filter.words) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    conditions.push(
      sql<boolean>`(title || ' ' || artist || ' ' || album || ' ' || array_to_string(tags, ' ')) ilike ${pattern}`,
    );
  }
  if (filter.key !== undefined) conditions.push(sql<boolean>`key = ${filter.key}`);
  if (filter.bpmMin !== undefined) conditions.push(sql<boolean>`bpm >= ${filter.bpmMin}`);
  if (filter.bpmMax !== undefined) conditions.push(sql<boolean>`bpm <= ${filter.bpmMax}`);
  if (filter.tag !== undefined) conditions.push(sql<boolean>`${filter.tag} = any(tags)`);

  const reverse = sort.startsWith('-');
  const column = sortColumns[(reverse ? sort.slice(1) : sort) as keyof typeof sortColumns];
  const byText = column === 'title' || column === 'artist';
  const base = db.selectFrom('tracks').where((e) => e.and(conditions));
  const [rows, count] = await Promise.all([
    base
      .selectAll()
      .orderBy(byText ? sql`lower(${sql.ref(column)})` : sql.ref(column), (o) =>
        // A track without a tempo comes last either way.
        (reverse ? o.desc() : o.asc()).nullsLast(),
      )
      .orderBy('id', reverse ? 'desc' : 'asc')
      .offset(page.offset)
      .limit(page.limit)
      .execute(),
    base.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows: await withAudio(db, rows), totalCount: count.total };
}

/** Tracks deleted before `before`, at most `limit`, locked so that two sweepers do not meet. */
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

/** Removes a track's row for good. */
export async function deleteTrack(db: Db, id: string): Promise<void> {
  await db.deleteFrom('tracks').where('id', '=', id).execute();
}

/** Removes the audio source unless a track still uses it; answers whether it went. */
export async function deleteSourceIfUnused(db: Db, sourceId: string): Promise<boolean> {
  const result = await db
    .deleteFrom('audio_sources')
    .where('id', '=', sourceId)
    .where((e) =>
      e.not(
        e.exists(e.selectFrom('tracks').select('tracks.id').where('tracks.audio_source_id', '=', sourceId)),
      ),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows) === 1;
}

/** The source with this key, or undefined; locked against removal for the rest of the transaction. */
export function findSourceByKey(db: Db, sourceKey: string): Promise<AudioSourceRow | undefined> {
  return db
    .selectFrom('audio_sources')
    .selectAll()
    .where('source_key', '=', sourceKey)
    .forShare()
    .executeTakeFirst();
}

/** Stores what was received; answers false when another worker stored the same bytes first. */
export async function insertSource(db: Db, row: AudioSourceRow): Promise<boolean> {
  const result = await db
    .insertInto('audio_sources')
    .values({ ...row, warnings: JSON.stringify(row.warnings) })
    .onConflict((conflict) => conflict.column('source_key').doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

/** A rendition of a source. */
export interface RenditionRow {
  readonly source_id: string;
  readonly quality: DownloadQuality;
  readonly file_path: string;
  readonly file_size: number;
  readonly created_at: Date;
}

/** The rendition of a source in a quality, or undefined. */
export function findRendition(
  db: Db,
  sourceId: string,
  quality: DownloadQuality,
): Promise<RenditionRow | undefined> {
  return db
    .selectFrom('audio_renditions')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('quality', '=', quality)
    .executeTakeFirst();
}

/** Stores a rendition; the first one of a source and quality stays. */
export async function insertRendition(db: Db, row: RenditionRow): Promise<void> {
  await db
    .insertInto('audio_renditions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['source_id', 'quality']).doNothing())
    .execute();
}

/** Whether a live track of this user uses the source. */
export async function usesSource(db: Db, userId: number, sourceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('tracks')
    .select('id')
    .where('user_id', '=', userId)
    .where('audio_source_id', '=', sourceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which of these source ids exist. */
export async function listExistingSources(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('audio_sources').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

/** Ids of all separations of a track, finished or not: their stems lie in folders of these names. */
export async function listSeparationJobs(db: Db, trackId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('track_id', '=', trackId)
    .where('type', '=', 'processing')
    .execute();
  return rows.map((row) => row.id);
}

/** Titles of tracks, deleted or not, by id. */
export async function listTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('tracks').select(['id', 'title']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.title]));
}
