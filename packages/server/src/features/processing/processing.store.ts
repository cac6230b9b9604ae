import type { Stem } from '@stem-studio/contract/resources/stem';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { liveOwnerOf } from '../tracks/index.ts';
import type { StemsTable } from './processing.tables.ts';

/** A stem's row. */
export type StemRow = Selectable<StemsTable>;

/** Stores the stems of a job. */
export async function insertStems(db: Db, rows: readonly StemRow[]): Promise<void> {
  await db.insertInto('stems').values(rows).execute();
}

/** The stems of a job in the order in which they were written. */
export function listStems(db: Db, jobId: string): Promise<StemRow[]> {
  return db.selectFrom('stems').selectAll().where('processing_job_id', '=', jobId).orderBy('id').execute();
}

/** Removes the stems of a job. Answers how many bytes they had. */
export async function deleteStems(tx: Tx, jobId: string): Promise<number> {
  const rows = await tx
    .deleteFrom('stems')
    .where('processing_job_id', '=', jobId)
    .returning('file_size')
    .execute();
  return rows.reduce((sum, { file_size }) => sum + file_size, 0);
}

/** The stem with this id, or undefined. */
export function findStem(db: Db, id: string): Promise<StemRow | undefined> {
  return db.selectFrom('stems').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Which of these ids are jobs with stems. */
export async function listStemJobs(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('stems')
    .select('processing_job_id as id')
    .where(sql<boolean>`processing_job_id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** A stem as the service shows it. */
export function presentStem(row: StemRow): Stem {
  return { ...row, created_at: row.created_at.toISOString() };
}

/** Whether the stems of this job belong to a live track of this user. */
export async function ownsStems(db: Db, userId: number, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('stems')
    .select('stems.id')
    .where('stems.processing_job_id', '=', jobId)
    .where(liveOwnerOf(sql.ref('stems.track_id')), '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Bytes of all stems of a track. */
export async function sumStemBytes(db: Db, trackId: string): Promise<number> {
  const row = await db
    .selectFrom('stems')
    .select(sql<number>`coalesce(sum(file_size), 0)::bigint`.as('bytes'))
    .where('track_id', '=', trackId)
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** Ids of all separations of a track or of a user, finished or not: their stems lie in folders of these names. */
export async function listSeparationJobs(
  db: Db,
  of: { readonly trackId: string } | { readonly userId: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where((where) =>
      'trackId' in of
        ? where.and([where('subject_kind', '=', 'track'), where('subject_id', '=', of.trackId)])
        : where('user_id', '=', of.userId),
    )
    .where('type', '=', 'processing')
    .execute();
  return rows.map((row) => row.id);
}

/** All stems of these tracks, previews too, the oldest first. */
export function listStemsOfTracks(db: Db, trackIds: readonly string[]): Promise<StemRow[]> {
  return db.selectFrom('stems').selectAll().where('track_id', 'in', trackIds).orderBy('id').execute();
}
