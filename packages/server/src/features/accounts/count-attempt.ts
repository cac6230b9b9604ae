import { ServiceError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { enforceRateLimit } from '../../platform/http/request-state.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';
import { knownBrowser } from './known-browser.ts';

/**
 * Counts an attempt to log in, for the network it comes from and for the account it is about, whether or not there is
 * such an account. A browser that has logged in to the account before is counted by itself and by nothing else: not with
 * its network either, which it may share with who guesses. Answers with a sentence when there were too many, else null.
 *
 * @param email trimmed and lower case
 * @spec Rate limits
 */
export function countLogInAttempt(exchange: Exchange, email: string): Promise<string | null> {
  const browser = knownBrowser(exchange, email);
  if (browser !== null) return count(exchange, [`browser:${browser}`]);
  return count(exchange, [`address:${networkOf(exchange.request.ip)}`, `account:${hashOfToken(email)}`]);
}

/**
 * Counts an attempt of somebody who is logged in at their own password, apart from what anybody tries at the log-in form.
 * Answers as {@link countLogInAttempt} does.
 */
export function countPasswordAttempt(exchange: Exchange, userId: number): Promise<string | null> {
  return count(exchange, [`viewer:${userId}`]);
}

async function count({ context, request, reply }: Exchange, keys: readonly string[]): Promise<string | null> {
  try {
    for (const key of keys) await enforceRateLimit(context, request, reply, 'login', key);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'RATE_LIMITED') throw error;
    reply.header('retry-after', error.retryAfterSeconds);
    return `Too many attempts. Try again in ${error.retryAfterSeconds} s.`;
  }
}
