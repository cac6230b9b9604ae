import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { ApiKeysTable } from '../../platform/db/tables.ts';
import type { UserRow } from './users.store.ts';

/** An API key as the database holds it: its hash, never itself. */
export type ApiKeyRow = Selectable<ApiKeysTable>;

/** Keeps a new key. */
export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.insertInto('api_keys').values(row).execute();
}

/** The user's keys that have not been revoked, newest first; those that have run out are among them. */
export function listApiKeys(db: Db, userId: number): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The key with this hash and its user, if the key holds and the user is active; else null. */
export async function findKeyLogin(
  db: Db,
  keyHash: string,
  now: Date,
): Promise<{ key: ApiKeyRow; user: UserRow } | null> {
  const key = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst();
  if (!key) return null;
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', key.user_id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return user ? { key, user } : null;
}

/** Revokes a key of this user; false when there is none, or it was revoked before. */
export async function revokeKey(tx: Tx, userId: number, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a key was used. */
export async function touchApiKey(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
