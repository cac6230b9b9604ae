import type { UserSort } from '@stem-studio/contract/endpoints/admin';
import type { Role } from '@stem-studio/contract/roles';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** A user as presented to admins, without the password hash. */
export interface ListedUser {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly status: 'active' | 'deactivated';
  readonly created_at: Date;
  readonly last_active_at: Date | null;
}

/** Filter of a list of users. */
export interface UserFilter {
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: ListedUser['status'] | undefined;
}

const sortColumns = {
  created_at: sql`created_at`,
  last_active_at: sql`last_active_at`,
  email: sql`email`,
  // Sorted by permissions, not alphabetically.
  role: sql`array_position(array['user', 'admin', 'platform_admin'], role)`,
} as const;

/**
 * Returns a page of users and the number of all matches. Users who were never active come last in both directions.
 */
export async function listUsers(
  db: Db,
  filter: UserFilter,
  sort: UserSort,
  part: { readonly offset: number; readonly limit: number },
): Promise<{ rows: ListedUser[]; totalCount: number }> {
  const conditions: Expression<SqlBool>[] = [sql<boolean>`true`];
  if (filter.q)
    conditions.push(sql<boolean>`email like lower(${`%${filter.q.replace(/[\\%_]/g, '\\$&')}%`})`);
  if (filter.role) conditions.push(sql<boolean>`role = ${filter.role}`);
  if (filter.status) conditions.push(sql<boolean>`status = ${filter.status}`);
  const isFalling = sort.startsWith('-');
  const column = sortColumns[sort.replace('-', '') as keyof typeof sortColumns];
  const fitting = db.selectFrom('users').where((e) => e.and(conditions));
  const [rows, count] = await Promise.all([
    fitting
      .select(['id', 'email', 'role', 'status', 'created_at', 'last_active_at'])
      .orderBy(column, (order) => (isFalling ? order.desc() : order.asc()).nullsLast())
      .orderBy('id', isFalling ? 'desc' : 'asc')
      .offset(part.offset)
      .limit(part.limit)
      .execute(),
    fitting.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, totalCount: count.total };
}

/** Returns email addresses of users by their ids. */
export async function listEmails(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, email from users where id = any (${ids}::int[])`.execute(db);
  return new Map(rows.map(({ id, email }) => [id, email]));
}
