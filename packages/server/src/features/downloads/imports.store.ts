import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { ImportsTable } from './downloads.tables.ts';

/** An import of an album or a playlist. */
export type ImportRow = Selectable<ImportsTable>;

/** Lets one transaction at a time import songs for a user, so that two overlapping lists do not wait for each other. */
export async function lockImportsOf(db: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${userId}`}, 0))`.execute(db);
}

/** Writes a new import, and answers it. */
export function insertImport(
  db: Db,
  row: Pick<ImportRow, 'id' | 'user_id' | 'type' | 'title' | 'total' | 'created_at'>,
): Promise<ImportRow> {
  return db.insertInto('imports').values(row).returningAll().executeTakeFirstOrThrow();
}

/** The import with this id, or null. */
export async function findImport(db: Db, id: string): Promise<ImportRow | null> {
  return (await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** A user's imports that are not finished, the newest first. */
export function listUnfinishedImports(db: Db, userId: number): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Counts one more song of an unfinished import; it is finished with its last one. Null for one that is cancelled or
 * finished. One writer at a time: the row is locked until the transaction ends.
 */
export async function countSong(
  db: Db,
  id: string,
  outcome: 'completed' | 'failed',
  now: Date,
): Promise<ImportRow | null> {
  const row = await db
    .updateTable('imports')
    .set((e) => ({
      [outcome]: e(outcome, '+', 1),
      finished_at: sql<Date | null>`case when completed + failed + 1 >= total then ${now}::timestamptz end`,
    }))
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Ends an import as cancelled: what is in is counted from its jobs, everything else did not come. Null when it is
 * finished or cancelled already.
 */
export async function cancelImport(db: Db, id: string, now: Date): Promise<ImportRow | null> {
  const completed = sql<number>`(select count(*)::int from jobs where batch_id = imports.id and status = 'completed')`;
  const row = await db
    .updateTable('imports')
    .set({ completed, failed: sql<number>`total - ${completed}`, cancelled_at: now, finished_at: now })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}
