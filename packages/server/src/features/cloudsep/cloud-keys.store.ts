import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { CloudKeysTable } from './cloudsep.tables.ts';

/** A user's key at the cloud service, sealed. */
export type CloudKeyRow = Selectable<CloudKeysTable>;

/** The user's key, or null. */
export async function findByUser(db: Db, userId: number): Promise<CloudKeyRow | null> {
  const row = await db.selectFrom('cloud_keys').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return row ?? null;
}

/** The key with this id, or null. */
export async function findById(db: Db, id: string): Promise<CloudKeyRow | null> {
  const row = await db.selectFrom('cloud_keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The user's key, or null, with nobody else setting it until the transaction ends. */
export async function lockByUser(tx: Tx, userId: number): Promise<CloudKeyRow | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cloud key ${userId}`}, 0))`.execute(tx);
  return findByUser(tx, userId);
}

/** Puts a key in the place of the one that the user may have. */
export async function replaceKey(tx: Tx, row: CloudKeyRow): Promise<void> {
  const { id, license_key, hint, created_at } = row;
  await tx
    .insertInto('cloud_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ id, license_key, hint, created_at }))
    .execute();
}

/** Forgets the user's key; answers its id, null where they had none. */
export async function deleteByUser(tx: Tx, userId: number): Promise<string | null> {
  const row = await tx
    .deleteFrom('cloud_keys')
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}
