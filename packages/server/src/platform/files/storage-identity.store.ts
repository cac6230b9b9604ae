import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

/**
 * Returns the identity of the database, or null before its first start. Locks the identity until the transaction ends.
 */
export async function lockIdentity(tx: Tx): Promise<string | null> {
  await sql`lock table storage_identity in exclusive mode`.execute(tx);
  return findIdentity(tx);
}

/** Returns the identity of the database, or null before its first start. */
export async function findIdentity(db: Db): Promise<string | null> {
  const row = await db.selectFrom('storage_identity').select('id').executeTakeFirst();
  return row?.id ?? null;
}

/** Sets the identity of the database, replacing an earlier one. */
export async function setIdentity(tx: Tx, id: string, createdAt: Date): Promise<void> {
  await tx.deleteFrom('storage_identity').execute();
  await tx.insertInto('storage_identity').values({ id, created_at: createdAt }).execute();
}

/** Returns the number of database records that reference stored files (received audio and stems). */
export async function countStoredRecords(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from audio_sources) + (select count(*) from stems) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Returns the paths of stored files that the newest records reference. At most `limit` are of received audio and
 * `limit` of stems.
 */
export async function listRecordedPaths(db: Db, limit: number): Promise<string[]> {
  const sources = await db
    .selectFrom('audio_sources')
    .select('received_path as path')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  const stems = await db
    .selectFrom('stems')
    .select('file_path as path')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return [...sources, ...stems].map(({ path }) => path);
}
