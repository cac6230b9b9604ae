import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { findActiveUser, type UserRow } from '../users/index.ts';
import type { LoginSessionsTable } from './accounts.tables.ts';

/** A login as the database holds it: the hash of its token, never the token. */
export type LoginSessionRow = Selectable<LoginSessionsTable>;

/** A browser that is logged in, and as whom. */
export interface Login {
  readonly session: LoginSessionRow;
  readonly user: UserRow;
}

/** Logs a browser in. */
export async function insertLoginSession(tx: Tx, session: Insertable<LoginSessionsTable>): Promise<void> {
  await tx.insertInto('login_sessions').values(session).execute();
}

/** The login behind an id, if it has not run out and its user is active; else null. */
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

/** The user's logins that have not run out, the one used last first. */
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

/** Lets a login last until `expiresAt` from now on. */
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

/** Ends every login of a user; answers their ids. */
export async function deleteLoginSessionsOf(tx: Tx, userId: number): Promise<string[]> {
  const rows = await tx.deleteFrom('login_sessions').where('user_id', '=', userId).returning('id').execute();
  return rows.map(({ id }) => id);
}

/** Removes logins that have run out. */
export async function deleteExpiredLoginSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('login_sessions').where('expires_at', '<=', now).execute();
}

/** Subquery of the id and the user of a login session, which cannot be deleted until the transaction ends. */
export function keptLogin(id: string): RawBuilder<{ id: string; user_id: number }> {
  return sql`(select id, user_id from login_sessions where id = ${id} for key share)`;
}
