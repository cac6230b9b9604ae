import type { Role } from '@stem-studio/contract/roles';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { UsersTable } from './users.tables.ts';

/** A row of a user, with the password hash: only `users` and `accounts` use it. */
export type UserRow = Selectable<UsersTable>;

/** Makes a user and answers with the row; null when somebody has that email address already. */
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

/** The user with this id, or null. */
export async function findUser(db: Db, id: number): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The user with this id, locked until the transaction ends, so that of two who change them one waits; null when there is none. */
export async function lockUser(tx: Tx, id: number): Promise<UserRow | null> {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The user with this email address (lower case), or null. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()) ?? null;
}

/** Whether anybody holds the role. */
export async function hasUserWithRole(db: Db, role: Role): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('role', '=', role).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Gives a user another email address; false when somebody has it already. */
export async function updateEmail(db: Db, id: number, email: string): Promise<boolean> {
  try {
    await db.updateTable('users').set({ email }).where('id', '=', id).execute();
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html (23505, unique_violation) */
function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** Gives a user another password if the present one is still `oldHash`; false when it is not. */
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

/** Gives a user another role. */
export async function updateRole(tx: Tx, id: number, role: Role): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', id).execute();
}

/** The ids of active users with a role, locked until the transaction ends, so that no two last ones leave at once. */
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

/** Gives a user another status; false when there is no such user, or they have it already. */
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

/** Notes that the user was active, unless that was noted after `notSince` already. */
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

/** Keeps a user's row from being deleted until the transaction ends. */
export async function keepUser(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forKeyShare().execute();
}

/** The user with this id if they are active, or null. */
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

/** Subquery of the id of the user with this email address (lower case); no row where there is none. */
export function userWithEmail(email: string): RawBuilder<{ id: number }> {
  return sql`(select id from users where email = ${email})`;
}

/** Subquery of the ids and roles of users, for statements of features that keep something for each user. */
export function accountsOf(ids: readonly number[]): RawBuilder<{ id: number; role: Role }> {
  return sql`(select id, role from users where id = any(${ids}::int[]))`;
}

/** Removes a user; logins, API keys and whatever else refers to the row go with it. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
}
