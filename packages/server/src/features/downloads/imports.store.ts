import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { ImportsTable } from './downloads.tables.ts';

/** An import of an album or a playlist. */
export type ImportRow = Selectable<ImportsTable>;

/** Locks imports per user until the transaction ends, so that two overlapping lists do not deadlock. */
export async function lockImportsOf(db: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${userId}`}, 0))`.execute(db);
}

/** Inserts an import and returns it. */
export function insertImport(
  db: Db,
  row: Pick<ImportRow, 'id' | 'user_id' | 'type' | 'title' | 'total' | 'created_at'>,
): Promise<ImportRow> {
  return db.insertInto('imports').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Returns the import with this id, or null. */
export async function findImport(db: Db, id: string): Promise<ImportRow | null> {
  return (await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Returns a user's unfinished imports, newest first. */
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
 * Counts one more track of an unfinished import and finishes the import with its last track. Returns null for a
 * cancelled or finished import. The row stays locked until the transaction ends.
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
 * Marks an import as cancelled: completed tracks are counted from its jobs, all others count as failed. Returns null
 * when it is finished or cancelled already.
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
