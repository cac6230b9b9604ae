import type { Role } from '@stem-studio/contract/roles';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { UsersTable } from './users.tables.ts';

/** Row of a user with the password hash; used only by `users` and `accounts`. */
export type UserRow = Selectable<UsersTable>;

/** Creates a user and returns the row; null if the email address is already in use. */
export async function insertUser(
  tx: Tx,
  user: { email: string; password_hash: string | null; role: Role; created_at: Date },
): Promise<UserRow | null> {
  const row = await tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the user with this id, or null. */
export async function findUser(db: Db, id: number): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Returns the user with this id, locked until the transaction ends to serialise changes; null if there is none. */
export async function lockUser(tx: Tx, id: number): Promise<UserRow | null> {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the user with this email address (lower case), or null. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()) ?? null;
}

/** Tells whether any user has the role. */
export async function hasUserWithRole(db: Db, role: Role): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role', '=', role).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Changes a user's email address; false if it is already in use. */
export async function updateEmail(db: Db, id: number, email: string): Promise<boolean> {
  try {
    await db.updateTable('users').set({ email }).where('id', '=', id).execute();
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * Tells whether an error is a unique violation.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html (23505, unique_violation)
 */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** Changes a user's password hash if the current one is still `oldHash`; otherwise returns false. */
export async function replacePasswordHash(
  tx: Tx,
  id: number,
  oldHash: string | null,
  newHash: string,
): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set({ password_hash: newHash })
    .where('id', '=', id)
    .where('password_hash', 'is not distinct from', oldHash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes a user's role. */
export async function updateRole(tx: Tx, id: number, role: Role): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', id).execute();
}

/**
 * Returns the ids of active users with a role, locked until the transaction ends. The lock prevents the last two from
 * leaving at the same time.
 */
export async function lockActiveWithRole(tx: Tx, role: Role): Promise<number[]> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', role)
    .where('status', '=', 'active')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Changes a user's status; false if there is no such user or the status is unchanged. */
export async function setStatus(tx: Tx, id: number, status: UserRow['status']): Promise<boolean> {
  const row = await tx
    .updateTable('users')
    .set({ status })
    .where('id', '=', id)
    .where('status', '!=', status)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Updates the user's time of last activity, unless it was already updated after `notSince`. */
export async function touchUser(db: Db, id: number, now: Date, notSince: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_active_at: now })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_active_at', 'is', null), where('last_active_at', '<=', notSince)]),
    )
    .execute();
}

/** Locks a user's row against deletion until the transaction ends. */
export async function keepUser(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forKeyShare().execute();
}

/** Returns the user with this id if active, or null. */
export async function findActiveUser(db: Db, id: number): Promise<UserRow | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return row ?? null;
}

/** Columns of {@link activeUsers}. */
export type ActiveUser = Pick<UserRow, 'id' | 'email' | 'role' | 'last_active_at'>;

/** Subquery of the active users. */
export function activeUsers(): RawBuilder<ActiveUser> {
  return sql`(select id, email, role, last_active_at from users where status = 'active')`;
}

/** Subquery of the id of the user with this email address (lower case); empty if there is none. */
export function userWithEmail(email: string): RawBuilder<{ id: number }> {
  return sql`(select id from users where email = ${email})`;
}

/** Subquery of the ids and roles of users, for statements of features that store data per user. */
export function accountsOf(ids: readonly number[]): RawBuilder<{ id: number; role: Role }> {
  return sql`(select id, role from users where id = any(${ids}::int[]))`;
}

/** Deletes a user; logins, API keys and all other rows that refer to it are deleted with it. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
}
