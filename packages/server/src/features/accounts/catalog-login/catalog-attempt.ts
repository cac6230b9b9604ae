import { createHmac } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import { randomToken } from '../../../platform/crypto/secrets.ts';
import { hashOfToken } from '../hash-of-token.ts';
import { insertAttempt, takeAttempt } from './catalog-attempts.store.ts';

/** A browser that went to the catalog must be back within this time. */
export const attemptMinutes = 10;

const purpose = 'catalog login';

/** What belongs to one way to the catalog and back; all of it follows from what only the browser's cookie holds. */
export interface Attempt {
  /** The cookie: a random token, signed. */
  readonly cookie: string;
  /** What the catalog hands back unchanged. */
  readonly state: string;
  /** PKCE: only who has it can use the code. */
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
    // 43 characters, as RFC 7636 wants them at least.
    verifier: mac('verifier'),
  };
}

/**
 * Begins a way to the catalog. The database remembers only that there is one, by a hash.
 *
 * @param linkingSessionId the login that wants to be linked; null where somebody wants to log in
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

/** The way that a cookie belongs to, or null when the signature does not hold. It may be used up already. */
export function readAttempt(context: Context, cookie: string | null): Attempt | null {
  const token = cookie && context.secrets.verify(purpose, cookie);
  return token ? attemptOf(context, token) : null;
}

/** Uses a way up; null when it was used before or took too long. */
export function finishAttempt(context: Context, { cookie }: Attempt) {
  const token = context.secrets.verify(purpose, cookie) ?? '';
  return takeAttempt(context.db, hashOfToken(token), context.clock.now());
}
