import { createHmac } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import { randomToken } from '../../../platform/crypto/secrets.ts';
import { hashOfToken } from '../hash-of-token.ts';
import { insertAttempt, takeAttempt } from './catalog-attempts.store.ts';

/** Time within which a browser must return from the catalog, in minutes. */
export const attemptMinutes = 10;

const purpose = 'catalog login';

/** Secrets of one authorization request to the catalog, all derived from the token in the browser's cookie. */
export interface Attempt {
  /** Value of the cookie: a random token, signed. */
  readonly cookie: string;
  /** State parameter, which the catalog returns unchanged. */
  readonly state: string;
  /** PKCE verifier, required to exchange the code. */
  readonly verifier: string;
}

function attemptOf(context: Context, token: string): Attempt {
  const mac = (of: string) =>
    createHmac('sha256', context.secrets.derive(`${purpose} ${of}`))
      .update(token)
      .digest('base64url');
  return {
    cookie: context.secrets.sign(purpose, token),
    state: mac('state'),
    // 43 characters, the minimum of RFC 7636.
    verifier: mac('verifier'),
  };
}

/**
 * Starts an authorization request to the catalog. The database stores only a hash of it.
 *
 * @param linkingSessionId login session to be linked; null for a log-in
 */
export async function beginAttempt(context: Context, linkingSessionId: string | null): Promise<Attempt> {
  const token = randomToken();
  await insertAttempt(context.db, {
    id: hashOfToken(token),
    linking_session_id: linkingSessionId,
    expires_at: new Date(context.clock.now().getTime() + attemptMinutes * 60_000),
  });
  return attemptOf(context, token);
}

/** Returns the attempt of a cookie, possibly already used; null if its signature is invalid. */
export function readAttempt(context: Context, cookie: string | null): Attempt | null {
  const token = cookie && context.secrets.verify(purpose, cookie);
  return token ? attemptOf(context, token) : null;
}

/** Consumes an attempt; null if it was already used or has expired. */
export function finishAttempt(context: Context, { cookie }: Attempt) {
  const token = context.secrets.verify(purpose, cookie) ?? '';
  return takeAttempt(context.db, hashOfToken(token), context.clock.now());
}
