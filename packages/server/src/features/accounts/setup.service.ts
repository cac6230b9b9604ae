import type { Context } from '../../platform/context.ts';
import { randomToken } from '../../platform/crypto/secrets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hasUserWithRole } from '../users/index.ts';
import { hashOfToken } from './hash-of-token.ts';
import * as setup from './setup-tokens.store.ts';

/**
 * A one-time link under which the first platform admin registers, or null when there is one already. Every start of
 * the service makes a link of its own; all of them are void once one has been used.
 *
 * @param baseUrl address of the service, without a slash at its end
 * @see docs/decisions/0020-set-up-link.md
 */
export async function createSetupLink(context: Context, baseUrl: string): Promise<string | null> {
  if (await hasUserWithRole(context.db, 'platform_admin')) return null;
  const token = randomToken();
  await setup.insertSetupToken(context.db, hashOfToken(token), context.clock.now());
  return `${baseUrl}/users/register?setup=${token}`;
}

/** Whether a set-up link holds, without using it. */
export async function isSetupToken(context: Context, token: string): Promise<boolean> {
  if (await hasUserWithRole(context.db, 'platform_admin')) return false;
  return await setup.hasSetupToken(context.db, hashOfToken(token));
}

/** Uses a set-up link up, with all others; false when it does not hold. Two at once: one waits, then finds it void. */
export async function useSetupToken(tx: Tx, token: string): Promise<boolean> {
  await setup.lockSetupTokens(tx);
  if (await hasUserWithRole(tx, 'platform_admin')) return false;
  if (!(await setup.hasSetupToken(tx, hashOfToken(token)))) return false;
  await setup.deleteSetupTokens(tx);
  return true;
}
