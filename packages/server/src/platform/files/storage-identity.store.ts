import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

/** The identity of the database, or null before its first start; nobody else reads it until the transaction ends. */
export async function lockIdentity(tx: Tx): Promise<string | null> {
  await sql`lock table storage_identity in exclusive mode`.execute(tx);
  return findIdentity(tx);
}

/** The identity of the database, or null before its first start. */
export async function findIdentity(db: Db): Promise<string | null> {
  const row = await db.selectFrom('storage_identity').select('id').executeTakeFirst();
  return row?.id ?? null;
}

/** Gives the database its identity, in place of another one. */
export async function setIdentity(tx: Tx, id: string, createdAt: Date): Promise<void> {
  await tx.deleteFrom('storage_identity').execute();
  await tx.insertInto('storage_identity').values({ id, created_at: createdAt }).execute();
}

/** How many records of the database name stored files: received audio, and stems. */
export async function countStoredRecords(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from audio_sources) + (select count(*) from stems) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Paths of stored files that the newest records name, at most `limit` of received audio and as many of stems. */
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
