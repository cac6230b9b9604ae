import { type Selectable, sql } from 'kysely';
import { createBatch } from '../../platform/batch.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { perDatabase } from '../../platform/db/per-database.ts';
import { runPrepared } from '../../platform/db/prepared.ts';
import { activeUsers, type UserRow } from '../users/index.ts';
import type { ApiKeysTable } from './accounts.tables.ts';

/** An API key as stored: its hash, never the key itself. */
export type ApiKeyRow = Selectable<ApiKeysTable>;

/** Stores a new key. */
export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.insertInto('api_keys').values(row).execute();
}

/** Returns the user's keys that are not revoked, newest first, including expired ones. */
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

/** Fields of a key and its user that authenticate a request. */
export interface KeyLogin {
  readonly key: Pick<ApiKeyRow, 'id' | 'last_used_at' | 'expires_at' | 'scopes'>;
  readonly user: Pick<UserRow, 'id' | 'email' | 'role' | 'last_active_at'>;
}

interface KeyLoginRow {
  readonly key_hash: string;
  readonly key_id: string;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
  readonly scopes: ApiKeyRow['scopes'];
  readonly id: number;
  readonly email: string;
  readonly role: UserRow['role'];
  readonly last_active_at: Date | null;
}

/** Batches lookups of simultaneous requests into one query, issued after the last of them arrived. */
const keyLoginsOf = perDatabase((db) =>
  createBatch<string, KeyLoginRow | null>(async (hashes) => {
    const { rows } = await runPrepared(
      db,
      sql<KeyLoginRow>`select k.key_hash, k.id as key_id, k.last_used_at, k.expires_at, k.scopes, u.id, u.email, u.role, u.last_active_at
        from api_keys k join ${activeUsers()} u on u.id = k.user_id
        where k.key_hash = any (${[...new Set(hashes)]}::text[]) and k.revoked_at is null`,
    );
    const byHash = new Map(rows.map((row) => [row.key_hash, row]));
    return hashes.map((hash) => byHash.get(hash) ?? null);
  }),
);

/** Returns the unrevoked, unexpired key with this hash and its active user, or null. */
export async function findKeyLogin(db: Db, keyHash: string, now: Date): Promise<KeyLogin | null> {
  const row = await keyLoginsOf(db)(keyHash);
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return null;
  const { id, email, role, last_active_at } = row;
  return {
    key: { id: row.key_id, last_used_at: row.last_used_at, expires_at: row.expires_at, scopes: row.scopes },
    user: { id, email, role, last_active_at },
  };
}

/** Revokes a key of this user. Returns false if it does not exist or was already revoked. */
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

/** Revokes every key of the user. Returns the ids of the keys that were still valid. */
export async function revokeKeysOf(tx: Tx, userId: number, now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Stores the time at which a key was last used. */
export async function touchApiKey(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
