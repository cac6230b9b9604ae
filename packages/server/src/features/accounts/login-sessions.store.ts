import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { findActiveUser, type UserRow } from '../users/index.ts';
import type { LoginSessionsTable } from './accounts.tables.ts';

/** A login as stored: the hash of its token, never the token. */
export type LoginSessionRow = Selectable<LoginSessionsTable>;

/** A login session with its user. */
export interface Login {
  readonly session: LoginSessionRow;
  readonly user: UserRow;
}

/** Stores a new login session. */
export async function insertLoginSession(tx: Tx, session: Insertable<LoginSessionsTable>): Promise<void> {
  await tx.insertInto('login_sessions').values(session).execute();
}

/** Returns the login session with this id if it has not expired and its user is active; otherwise null. */
export async function findLogin(db: Db, id: string, now: Date): Promise<Login | null> {
  const session = await db
    .selectFrom('login_sessions')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!session) return null;
  const user = await findActiveUser(db, session.user_id);
  return user ? { session, user } : null;
}

/** Returns the user's unexpired logins, most recently used first. */
export function listLoginSessions(db: Db, userId: number, now: Date): Promise<LoginSessionRow[]> {
  return db
    .selectFrom('login_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute();
}

/** Extends a login to `expiresAt`. */
export async function renewLoginSession(db: Db, id: string, now: Date, expiresAt: Date): Promise<void> {
  await db
    .updateTable('login_sessions')
    .set({ last_seen_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();
}

/** Ends one login. */
export async function deleteLoginSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('login_sessions').where('id', '=', id).execute();
}

/** Ends every login of a user and returns their ids. */
export async function deleteLoginSessionsOf(tx: Tx, userId: number): Promise<string[]> {
  const rows = await tx.deleteFrom('login_sessions').where('user_id', '=', userId).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Deletes expired logins. */
export async function deleteExpiredLoginSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('login_sessions').where('expires_at', '<=', now).execute();
}

/** Subquery that locks a login session against deletion until the transaction ends, and returns its id and user. */
export function keptLogin(id: string): RawBuilder<{ id: string; user_id: number }> {
  return sql`(select id, user_id from login_sessions where id = ${id} for key share)`;
}
