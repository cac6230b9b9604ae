import type { ErrorDetails } from '@stem-studio/contract/errors';
import { newPassword } from '@stem-studio/contract/resources/user';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { detailsOf } from '../../platform/http/parse-input.ts';
import { recordAudit } from '../audit/index.ts';
import * as users from '../users/index.ts';
import { revokeAllKeys } from './api-keys.service.ts';
import { hashOfToken } from './hash-of-token.ts';
import { beginLogin, endLoginsOf, type NewLogin } from './log-in.service.ts';
import { hashPassword } from './passwords.ts';
import { refusalOfPassword } from './registration.service.ts';

/** Validity of a password link, in hours. */
const linkHours = 24;
const purpose = 'password reset';

/** Returns the mark that ties a link to the password it replaces; it changes with the password. */
function markOf(passwordHash: string | null): string {
  return hashOfToken(passwordHash ?? 'no password').slice(0, 32);
}

/**
 * Creates a link under which a user sets a new password, and records it in the audit log. It is valid for a day and
 * once: its signature covers the password it replaces.
 *
 * @param baseUrl address of the service, without a trailing slash
 * @see docs/decisions/0061-password-links.md
 */
export async function createResetLink(
  context: Context,
  user: Pick<users.UserRow, 'id' | 'password_hash'>,
  baseUrl: string,
): Promise<string> {
  const expires = new Date(context.clock.now().getTime() + linkHours * 3_600_000);
  await context.db.transaction().execute((tx) =>
    recordAudit(tx, {
      action: 'password_link_created',
      actor_user_id: null,
      target_user_id: user.id,
      details: { expires_at: expires.toISOString() },
    }),
  );
  const text = `${user.id}.${expires.getTime()}.${markOf(user.password_hash)}`;
  return `${baseUrl}/users/reset?token=${context.secrets.sign(purpose, text)}`;
}

/** Returns the active user of a link; null if the link is invalid. */
export async function userOfResetToken(context: Context, token: string): Promise<users.UserRow | null> {
  const [id = '', expires = '', mark = ''] = (context.secrets.verify(purpose, token) ?? '').split('.');
  if (id === '' || Number(expires) <= context.clock.now().getTime()) return null;
  const user = await users.findUser(context.db, Number(id));
  return user?.status === 'active' && markOf(user.password_hash) === mark ? user : null;
}

/**
 * Sets the password of a link's user and logs the browser in; all their other logins end. Null if the link is
 * invalid. Of two concurrent calls, one finds it invalid.
 */
export async function resetPassword(
  context: Context,
  given: {
    readonly token: string;
    readonly password: string;
    readonly userAgent: string;
    readonly revokesKeys: boolean;
  },
): Promise<(NewLogin & { readonly email: string }) | { readonly errors: ErrorDetails } | null> {
  const user = await userOfResetToken(context, given.token);
  if (!user) return null;
  const parsed = z.object({ password: newPassword }).safeParse({ password: given.password });
  if (!parsed.success) return { errors: detailsOf(parsed.error, 'password') };
  const weak = refusalOfPassword(given.password, user.email);
  if (weak) return { errors: { password: [weak] } };
  const passwordHash = await hashPassword(given.password);
  return context.db.transaction().execute(async (tx) => {
    if (!(await users.replacePasswordHash(tx, user.id, user.password_hash, passwordHash))) return null;
    await endLoginsOf(tx, user.id);
    if (given.revokesKeys) await revokeAllKeys(context, tx, user.id);
    await recordAudit(tx, {
      action: 'password_reset',
      actor_user_id: user.id,
      target_user_id: user.id,
      details: {},
    });
    return { ...(await beginLogin(context, tx, user.id, given.userAgent)), email: user.email };
  });
}
