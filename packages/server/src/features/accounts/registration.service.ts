import type { ErrorDetails } from '@stem-studio/contract/errors';
import { email as emailSchema, newPassword } from '@stem-studio/contract/resources/user';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { detailsOf } from '../../platform/http/parse-input.ts';
import { recordAudit } from '../audit/index.ts';
import { insertUser } from '../users/index.ts';
import { isCommonPassword } from './common-password.ts';
import { beginLogin, endLogin, type NewLogin } from './log-in.service.ts';
import { hashPassword } from './passwords.ts';
import { isSetupToken, useSetupToken } from './setup.service.ts';

const registration = z.object({ email: emailSchema, password: newPassword });

/** Reasons to refuse a registration: messages by field, or one code for the whole. */
export type Refusal =
  | { readonly refused: 'fields'; readonly errors: ErrorDetails }
  | { readonly refused: 'closed' | 'setup_link' };

/** Tells whether registration is open, with this set-up link or without one. */
export async function registrationIsOpen(
  context: Context,
  setupToken: string | null,
): Promise<boolean | 'setup_link'> {
  if (setupToken !== null) return (await isSetupToken(context, setupToken)) || 'setup_link';
  return context.config.registration === 'open';
}

/** Returns why a new password is rejected, or null. Messages continue the name of the field. */
export function refusalOfPassword(password: string, email: string): string | null {
  return isCommonPassword(password, email)
    ? 'is too common: use a passphrase of unrelated terms, or let a password manager generate one'
    : null;
}

/**
 * Registers a user and logs the browser in. The role is `user`; under a set-up link it is `platform_admin`, and the
 * link becomes invalid. An address in use must be reported here, because no mail is sent.
 *
 * @spec Users and registration
 */
export async function register(
  context: Context,
  given: {
    email: string;
    password: string;
    setupToken: string | null;
    userAgent: string;
    previousSessionId: string | null;
  },
): Promise<NewLogin | Refusal> {
  const open = await registrationIsOpen(context, given.setupToken);
  if (open !== true) return { refused: open || 'closed' };
  const parsed = registration.safeParse(given, { reportInput: true });
  if (!parsed.success) return { refused: 'fields', errors: detailsOf(parsed.error, 'email') };
  const { email, password } = parsed.data;
  const weak = refusalOfPassword(password, email);
  if (weak) return { refused: 'fields', errors: { password: [weak] } };
  const passwordHash = await hashPassword(password);
  const setupToken = given.setupToken;
  return await context.db
    .transaction()
    .execute(async (tx): Promise<NewLogin | Refusal> => {
      const isFirstAdmin = setupToken !== null;
      if (isFirstAdmin && !(await useSetupToken(tx, setupToken))) return { refused: 'setup_link' };
      const user = await insertUser(tx, {
        email,
        password_hash: passwordHash,
        role: isFirstAdmin ? 'platform_admin' : 'user',
        created_at: context.clock.now(),
      });
      if (!user) throw new EmailTaken();
      if (isFirstAdmin) {
        await recordAudit(tx, {
          action: 'user_role_changed',
          actor_user_id: null,
          target_user_id: user.id,
          details: { old_role: 'user', new_role: 'platform_admin' },
        });
      }
      if (given.previousSessionId) await endLogin(tx, given.previousSessionId);
      return await beginLogin(context, tx, user.id, given.userAgent);
    })
    .catch((error: unknown): Refusal => {
      if (error instanceof EmailTaken) {
        return { refused: 'fields', errors: { email: ['has an account already: log in instead'] } };
      }
      throw error;
    });
}

/** Thrown to roll back the transaction, so that an address in use does not consume a set-up link. */
class EmailTaken extends Error {}
