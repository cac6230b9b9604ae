import type { ErrorDetails } from '@stem-studio/contract/errors';
import { email as emailSchema, newPassword } from '@stem-studio/contract/resources/user';
import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { detailsOf } from '../../../platform/http/parse-input.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { findUser, replacePasswordHash, updateEmail } from '../../users/index.ts';
import { hasFreshLogin } from '../confirm-identity.ts';
import { beginLogin, endLoginsOf, type NewLogin } from '../log-in.service.ts';
import { hashPassword } from '../passwords.ts';
import { refusalOfPassword } from '../registration.service.ts';

const wanted = z.object({ email: emailSchema, password: newPassword });

/**
 * Sets an email address and a password for a user who registered by the catalog. A recent login replaces the proof by
 * password; returns `old` without one. All their logins end, and the requesting browser gets a new one. Null if they
 * already have a password.
 */
export async function setFirstPassword(
  context: Context,
  viewer: Viewer,
  given: { readonly email: string; readonly password: string; readonly userAgent: string },
): Promise<NewLogin | { readonly errors: ErrorDetails } | 'old' | null> {
  const user = await findUser(context.db, viewer.id);
  if (!user || user.password_hash !== null) return null;
  if (!(await hasFreshLogin(context, viewer))) return 'old';
  const parsed = wanted.safeParse(given, { reportInput: true });
  if (!parsed.success) return { errors: detailsOf(parsed.error, 'email') };
  const { email, password } = parsed.data;
  const weak = refusalOfPassword(password, email);
  if (weak) return { errors: { password: [weak] } };
  const passwordHash = await hashPassword(password);
  return context.db
    .transaction()
    .execute(async (tx) => {
      if (!(await replacePasswordHash(tx, viewer.id, null, passwordHash))) return null;
      if (!(await updateEmail(tx, viewer.id, email))) throw new EmailTaken();
      await endLoginsOf(tx, viewer.id);
      return await beginLogin(context, tx, viewer.id, given.userAgent);
    })
    .catch((error: unknown) => {
      if (error instanceof EmailTaken) return { errors: { email: ['belongs to another account'] } };
      throw error;
    });
}

/** Thrown to roll back the transaction when the address is already in use. */
class EmailTaken extends Error {}
