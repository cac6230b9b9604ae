import type { Context } from '../../platform/context.ts';
import { randomToken } from '../../platform/crypto/secrets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hasUserWithRole } from '../users/index.ts';
import { hashOfToken } from './hash-of-token.ts';
import * as setup from './setup-tokens.store.ts';

/**
 * Creates a one-time link under which the first platform admin registers; null if there is one already. Every start
 * of the service creates its own link; using one invalidates all.
 *
 * @param baseUrl address of the service, without a trailing slash
 * @see docs/decisions/0020-set-up-link.md
 */
export async function createSetupLink(context: Context, baseUrl: string): Promise<string | null> {
  if (await hasUserWithRole(context.db, 'platform_admin')) return null;
  const token = randomToken();
  await setup.insertSetupToken(context.db, hashOfToken(token), context.clock.now());
  return `${baseUrl}/users/register?setup=${token}`;
}

/** Tells whether a set-up link is valid, without consuming it. */
export async function isSetupToken(context: Context, token: string): Promise<boolean> {
  if (await hasUserWithRole(context.db, 'platform_admin')) return false;
  return await setup.hasSetupToken(context.db, hashOfToken(token));
}

/**
 * Consumes a set-up link and all others; false if it is invalid. Of two concurrent calls, one waits and finds it
 * invalid.
 */
export async function useSetupToken(tx: Tx, token: string): Promise<boolean> {
  await setup.lockSetupTokens(tx);
  if (await hasUserWithRole(tx, 'platform_admin')) return false;
  if (!(await setup.hasSetupToken(tx, hashOfToken(token)))) return false;
  await setup.deleteSetupTokens(tx);
  return true;
}
