import type { User } from '@stem-studio/contract/resources/user';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { findUser } from './users.store.ts';

/** Returns a user as the API presents it. Throws 404 if it does not exist. */
export async function getUser(context: Context, id: number): Promise<User> {
  const row = await findUser(context.db, id);
  if (!row) throw notFound('user');
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: row.status,
    created_at: row.created_at.toISOString(),
    last_active_at: row.last_active_at?.toISOString() ?? null,
  };
}
