import type { Stem } from '@stem-studio/contract/resources/stem';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { liveOwnerOf } from '../tracks/index.ts';
import type { StemsTable } from './processing.tables.ts';

/** Row of a stem. */
export type StemRow = Selectable<StemsTable>;

/** Inserts the stems of a job. */
export async function insertStems(db: Db, rows: readonly StemRow[]): Promise<void> {
  await db.insertInto('stems').values(rows).execute();
}

/** Returns the stems of a job in the order in which they were written. */
export function listStems(db: Db, jobId: string): Promise<StemRow[]> {
  return db.selectFrom('stems').selectAll().where('processing_job_id', '=', jobId).orderBy('id').execute();
}

/** Deletes the stems of a job and returns their size in bytes. */
export async function deleteStems(tx: Tx, jobId: string): Promise<number> {
  const rows = await tx
    .deleteFrom('stems')
    .where('processing_job_id', '=', jobId)
    .returning('file_size')
    .execute();
  return rows.reduce((sum, { file_size }) => sum + file_size, 0);
}

/** Returns the stem with this id, or undefined. */
export function findStem(db: Db, id: string): Promise<StemRow | undefined> {
  return db.selectFrom('stems').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns those of these ids that are jobs with stems. */
export async function listStemJobs(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('stems')
    .select('processing_job_id as id')
    .where(sql<boolean>`processing_job_id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Returns a stem in its wire format. */
export function presentStem(row: StemRow): Stem {
  return { ...row, created_at: row.created_at.toISOString() };
}

/** Returns whether the stems of this job belong to a live track of this user. */
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

/** Returns the bytes of all stems of a track. */
export async function sumStemBytes(db: Db, trackId: string): Promise<number> {
  const row = await db
    .selectFrom('stems')
    .select(sql<number>`coalesce(sum(file_size), 0)::bigint`.as('bytes'))
    .where('track_id', '=', trackId)
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/**
 * Returns the ids of all separations of a track or of a user, finished or not. They are also the names of their stem
 * folders.
 */
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

/** Returns all stems of these tracks, including previews, oldest first. */
export function listStemsOfTracks(db: Db, trackIds: readonly string[]): Promise<StemRow[]> {
  return db.selectFrom('stems').selectAll().where('track_id', 'in', trackIds).orderBy('id').execute();
}
