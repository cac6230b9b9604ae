import { ServiceError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/network-of.ts';
import { enforceRateLimit } from '../../platform/http/request-state.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';
import { knownBrowser } from './known-browser.ts';

/**
 * Counts a log-in attempt against the network it comes from and the account it names, existing or not. A browser that
 * has logged in to the account before has a counter of its own and does not count against its network, which it may
 * share with an attacker. Returns a message if the limit is exceeded, otherwise null.
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
 * Counts an attempt by a logged-in user at their own password, separately from attempts at the log-in form. Returns
 * like {@link countLogInAttempt}.
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
