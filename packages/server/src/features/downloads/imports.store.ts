import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { ImportsTable } from '../../platform/db/tables.ts';

/** An import of an album or a playlist. */
export type ImportRow = Selectable<ImportsTable>;

/** Lets one transaction at a time import songs for a user, so that two overlapping lists do not wait for each other. */
export async function lockImportsOf(db: Db, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${userId}`}, 0))`.execute(db);
}

/** Writes a new import. */
export async function insertImport(
  db: Db,
  row: Pick<ImportRow, 'id' | 'user_id' | 'type' | 'title' | 'total' | 'created_at'>,
): Promise<void> {
  await db.insertInto('imports').values(row).execute();
}

/** Forgets an import that brought nothing. */
export async function deleteImport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('imports').where('id', '=', id).execute();
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
    .where('cancelled_at', 'is', null)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Says how many songs an import has in the end, now that all are asked for. */
export async function settleTotal(db: Db, id: string, total: number, now: Date): Promise<ImportRow | null> {
  const row = await db
    .updateTable('imports')
    .set({
      total,
      finished_at: sql<Date | null>`case when completed + failed >= ${total} then ${now}::timestamptz end`,
    })
    .where('id', '=', id)
    .where('cancelled_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Marks an import as cancelled, once; false when it is finished or cancelled already. */
export async function markCancelled(db: Db, id: string, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('imports')
    .set({ cancelled_at: now })
    .where('id', '=', id)
    .where('cancelled_at', 'is', null)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) === 1;
}

/** Ends a cancelled import: what is in is counted from its jobs, everything else did not come. */
export function finishCancelled(db: Db, id: string, now: Date): Promise<ImportRow> {
  const completed = sql<number>`(select count(*)::int from jobs where batch_id = imports.id and status = 'completed')`;
  return db
    .updateTable('imports')
    .set({ completed, failed: sql<number>`total - ${completed}`, finished_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ids of a batch's unfinished jobs, the last in line first, so that none begins while the others end. */
export async function listUnfinishedJobs(db: Db, batchId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('batch_id', '=', batchId)
    .where('finished_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => row.id);
}

/** Imports begun before `before` that will never be finished, because nothing of theirs is under way any more. */
export function listStranded(db: Db, before: Date): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('finished_at', 'is', null)
    .where('created_at', '<', before)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.batch_id', '=', 'imports.id')
            .where('jobs.finished_at', 'is', null),
        ),
      ),
    )
    .execute();
}
