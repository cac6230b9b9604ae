import type { ErrorDetails } from '@stem-studio/contract/errors';
import { email as emailSchema, newPassword } from '@stem-studio/contract/resources/user';
import type { Role } from '@stem-studio/contract/roles';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { stateForbids } from '../../platform/errors.ts';
import { detailsOf } from '../../platform/http/parse-input.ts';
import { closeSockets } from '../../platform/socket/close-sockets.ts';
import { recordAudit } from '../audit/index.ts';
import * as users from '../users/index.ts';
import { hashPassword } from './passwords.ts';
import { refusalOfPassword } from './registration.service.ts';

const newUser = z.object({ email: emailSchema, password: newPassword });

/**
 * Creates a user with any role, for the operator only, and records it in the audit log. Returns the id, or messages
 * by field.
 *
 * @spec Users and registration
 */
export async function addUser(
  context: Context,
  given: { readonly email: string; readonly password: string; readonly role: Role },
): Promise<{ readonly id: number } | { readonly errors: ErrorDetails }> {
  const parsed = newUser.safeParse(given, { reportInput: true });
  if (!parsed.success) return { errors: detailsOf(parsed.error, 'email') };
  const { email, password } = parsed.data;
  const weak = refusalOfPassword(password, email);
  if (weak) return { errors: { password: [weak] } };
  const passwordHash = await hashPassword(password);
  return context.db.transaction().execute(async (tx) => {
    const user = await users.insertUser(tx, {
      email,
      password_hash: passwordHash,
      role: given.role,
      created_at: context.clock.now(),
    });
    if (!user) return { errors: { email: ['has an account already'] } };
    if (given.role !== 'user') {
      await recordAudit(tx, {
        action: 'user_role_changed',
        actor_user_id: null,
        target_user_id: user.id,
        details: { old_role: 'user', new_role: given.role },
      });
    }
    return { id: user.id };
  });
}

/**
 * Gives a user any role, for the operator only, and records it in the audit log. Returns the previous role. Throws
 * 422 for the last active platform admin.
 *
 * @spec Roles
 */
export function changeRole(context: Context, userId: number, role: Role): Promise<Role> {
  return context.db.transaction().execute(async (tx) => {
    const admins = await users.lockActiveWithRole(tx, 'platform_admin');
    const user = await users.findUser(tx, userId);
    const before = user?.role ?? 'user';
    if (before === role) return before;
    if (before === 'platform_admin' && admins.every((id) => id === userId)) {
      throw stateForbids(
        'VALIDATION_ERROR',
        'this is the last platform_admin: give the role to somebody else first',
      );
    }
    await users.updateRole(tx, userId, role);
    // Open channels were joined with the permissions of the old role.
    await closeSockets(tx, { user_id: userId });
    await recordAudit(tx, {
      action: 'user_role_changed',
      actor_user_id: null,
      target_user_id: userId,
      details: { old_role: before, new_role: role },
    });
    return before;
  });
}
