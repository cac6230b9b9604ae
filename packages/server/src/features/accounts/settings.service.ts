import type { ErrorDetails } from '@stem-studio/contract/errors';
import { email as emailSchema, newPassword } from '@stem-studio/contract/resources/user';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { detailsOf } from '../../platform/http/parse-input.ts';
import * as users from '../users/index.ts';
import { revokeAllKeys } from './api-keys.service.ts';
import { beginLogin, endLoginsOf, type NewLogin } from './log-in.service.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { refusalOfPassword } from './registration.service.ts';

/** Messages by field name. */
export interface FieldErrors {
  readonly errors: ErrorDetails;
}

const wrongPassword: FieldErrors = { errors: { current_password: ['is wrong'] } };

/** Changes the user's email address after checking their password. Returns null on success. */
export async function changeEmail(
  context: Context,
  userId: number,
  given: { email: string; currentPassword: string },
): Promise<FieldErrors | null> {
  const parsed = z.object({ email: emailSchema }).safeParse(given, { reportInput: true });
  if (!parsed.success) return { errors: detailsOf(parsed.error, 'email') };
  const user = await users.findUser(context.db, userId);
  if (!(await isPassword(user?.password_hash ?? null, given.currentPassword))) return wrongPassword;
  const changed = await users.updateEmail(context.db, userId, parsed.data.email);
  return changed ? null : { errors: { email: ['belongs to another account'] } };
}

/**
 * Changes the user's password after checking the current one. All their logins end, and the requesting browser gets a
 * new one. API keys stay unless their revocation is requested.
 */
export async function changePassword(
  context: Context,
  userId: number,
  given: { currentPassword: string; newPassword: string; userAgent: string; revokesKeys: boolean },
): Promise<FieldErrors | NewLogin> {
  const parsed = z.object({ password: newPassword }).safeParse({ password: given.newPassword });
  if (!parsed.success) return { errors: detailsOf(parsed.error, 'password') };
  const user = await users.findUser(context.db, userId);
  if (!user || !(await isPassword(user.password_hash, given.currentPassword))) return wrongPassword;
  const weak = refusalOfPassword(given.newPassword, user.email);
  if (weak) return { errors: { password: [weak] } };
  const passwordHash = await hashPassword(given.newPassword);
  return await context.db.transaction().execute(async (tx) => {
    // Does not overwrite a password set meanwhile, such as by a link.
    if (!(await users.replacePasswordHash(tx, userId, user.password_hash, passwordHash)))
      return wrongPassword;
    await endLoginsOf(tx, userId);
    if (given.revokesKeys) await revokeAllKeys(context, tx, userId);
    return await beginLogin(context, tx, userId, given.userAgent);
  });
}
