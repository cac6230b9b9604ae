import type { Selectable } from 'kysely';
import type { CloudKeysTable } from '../../platform/db/cloud-tables.ts';
import type { Db, Tx } from '../../platform/db/database.ts';

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

/** Puts a key in the place of the one that the user may have had; answers whether they had one. */
export async function replaceKey(tx: Tx, row: CloudKeyRow): Promise<boolean> {
  const had = await deleteByUser(tx, row.user_id);
  await tx.insertInto('cloud_keys').values(row).execute();
  return had !== null;
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
