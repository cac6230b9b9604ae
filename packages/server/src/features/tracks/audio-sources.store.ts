import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { storedTexts } from '../../platform/db/stored-texts.ts';
import type { AudioSourcesTable } from './tracks.tables.ts';

/** Received audio, stored once for all its users. */
export type AudioSourceRow = Selectable<AudioSourcesTable>;

/** Deletes the audio source unless a track still uses it; returns whether it was deleted. */
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

/** Returns the bytes of a source with all its renditions. */
export async function sumSourceBytes(db: Db, sourceId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (stored_bytes + coalesce((select sum(file_size) from audio_renditions where source_id = id), 0))::bigint as bytes
    from audio_sources where id = ${sourceId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Returns the source with this key, or undefined, and locks it against deletion until the transaction ends. */
export function findSourceByKey(db: Db, sourceKey: string): Promise<AudioSourceRow | undefined> {
  return db
    .selectFrom('audio_sources')
    .selectAll()
    .where('source_key', '=', sourceKey)
    .forShare()
    .executeTakeFirst();
}

/** Returns the path of a cover that was stored with audio of a catalog track, or null. */
export async function findStoredCover(db: Db, catalogId: string): Promise<string | null> {
  const row = await db
    .selectFrom('audio_sources')
    .select('cover_path')
    .where(sql<boolean>`starts_with(source_key, ${`catalog:${catalogId}:`})`)
    .where('cover_path', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.cover_path ?? null;
}

/** Inserts a source; returns false when another worker inserted the same bytes first. */
export async function insertSource(db: Db, row: AudioSourceRow): Promise<boolean> {
  const result = await db
    .insertInto('audio_sources')
    .values({ ...row, warnings: storedTexts.toText([...row.warnings]) })
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

/** Returns the rendition of a source in a quality, or undefined. */
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

/** Inserts a rendition; an existing one of the same source and quality is kept. */
export async function insertRendition(db: Db, row: RenditionRow): Promise<void> {
  await db
    .insertInto('audio_renditions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['source_id', 'quality']).doNothing())
    .execute();
}

/** Returns whether a live track of this user uses the source. */
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

/** Returns the paths of all files of sources, by the id of the source; unknown ids are left out. */
export async function listSourceFiles(db: Db, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ id: string; paths: (string | null)[] }>`
    select id, array[received_path, audio_path, peaks_path, cover_path]
      || array(select file_path from audio_renditions where source_id = audio_sources.id) as paths
    from audio_sources where id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, paths }) => [id, new Set(paths.filter((path) => path !== null))]));
}
