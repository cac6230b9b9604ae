import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** A file that a row refers to, with its size in bytes if the row has it. */
export interface NamedFile {
  readonly path: string;
  readonly bytes: number | null;
}

/** All files that the rows of one folder refer to. */
export interface NamedFolder {
  /** Name of the folder: the id of an audio source, or of the job of its stems. */
  readonly id: string;
  readonly files: readonly NamedFile[];
}

/** Number of folders per statement. */
const foldersAtOnce = 5000;

interface FolderRow {
  readonly id: string;
  readonly files: { readonly path: string; readonly bytes: number | null }[];
}

/** Query of the folders after `after` in order of id. */
type FolderQuery = (db: Db, after: string) => Promise<FolderRow[]>;

const listSourceBatch: FolderQuery = async (db, after) => {
  const { rows } = await sql<FolderRow>`
    select source.id::text as id, (
      select json_agg(json_build_object('path', file.path, 'bytes', file.bytes)) from (
        select received_path as path, source.bytes as bytes
        union select audio_path, null where audio_path <> received_path
        union select peaks_path, null
        union select cover_path, null where cover_path is not null
        union select file_path, file_size from audio_renditions where source_id = source.id
      ) as file) as files
    from audio_sources as source where source.id > ${after}::uuid
    order by source.id limit ${foldersAtOnce}`.execute(db);
  return rows;
};

const listStemBatch: FolderQuery = async (db, after) => {
  const { rows } = await sql<FolderRow>`
    select processing_job_id::text as id,
      json_agg(json_build_object('path', file_path, 'bytes', file_size)) as files
    from stems where processing_job_id > ${after}::uuid
    group by processing_job_id order by processing_job_id limit ${foldersAtOnce}`.execute(db);
  return rows;
};

async function* inBatches(db: Db, query: FolderQuery): AsyncGenerator<readonly NamedFolder[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await query(db, after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (rows.length < foldersAtOnce || !last) return;
    after = last.id;
  }
}

/** Yields the files of all audio sources and their renditions, in batches of a few thousand sources. */
export function listSourceFolders(db: Db): AsyncGenerator<readonly NamedFolder[]> {
  return inBatches(db, listSourceBatch);
}

/** Yields the files of all stems by the job that created them, in batches of a few thousand jobs. */
export function listStemFolders(db: Db): AsyncGenerator<readonly NamedFolder[]> {
  return inBatches(db, listStemBatch);
}

/**
 * Returns uploads that are not yet audio of the library, by the id of their folder. `isUnfinished` tells whether
 * their job is unfinished, which requires the bytes. Bytes of a failed job may remain for a retry.
 */
export async function listAwaitedUploads(db: Db): Promise<Map<string, { readonly isUnfinished: boolean }>> {
  const { rows } = await sql<{ id: string; is_unfinished: boolean }>`
    select args #>> '{source,source_id}' as id, bool_or(finished_at is null) as is_unfinished
    from jobs join tracks on tracks.id = jobs.subject_id
    where type = 'download' and args #>> '{source,kind}' = 'upload'
      and (finished_at is null or audio_source_id is null)
    group by 1`.execute(db);
  return new Map(rows.map(({ id, is_unfinished }) => [id, { isUnfinished: is_unfinished }]));
}

/** Returns folders pending deletion because their rows are gone, with the age of that decision in seconds. */
export async function listPendingFolders(
  db: Db,
): Promise<readonly { readonly path: string; readonly ageSeconds: number }[]> {
  const { rows } = await sql<{ path: string; age: number }>`
    select path, extract(epoch from now() - created_at)::float8 as age from folders_to_delete`.execute(db);
  return rows.map(({ path, age }) => ({ path, ageSeconds: age }));
}

/** Returns the numbers of compared rows. */
export async function countChecked(db: Db): Promise<{
  readonly tracks: number;
  readonly sources: number;
  readonly renditions: number;
  readonly stems: number;
  readonly jobs: number;
}> {
  const { rows } = await sql<{
    tracks: number;
    sources: number;
    renditions: number;
    stems: number;
    jobs: number;
  }>`
    select (select count(*)::int from tracks) as tracks,
      (select count(*)::int from audio_sources) as sources,
      (select count(*)::int from audio_renditions) as renditions,
      (select count(*)::int from stems) as stems,
      (select count(*)::int from jobs) as jobs`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database counted nothing');
  return row;
}
