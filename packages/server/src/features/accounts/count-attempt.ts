import { ServiceError } from '../../platform/errors.ts';
import { enforceRateLimit } from '../../platform/http/request-state.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';

/**
 * Counts an attempt at a password, for the address it comes from and for the account it is about, whether or not there
 * is such an account. Answers with a sentence when there were too many, else null.
 *
 * @param email trimmed and lower case
 * @spec Limits
 */
export async function countAttempt(
  { context, request, reply }: Exchange,
  email: string,
): Promise<string | null> {
  try {
    await enforceRateLimit(context, request, reply, 'login', `address:${request.ip}`);
    await enforceRateLimit(context, request, reply, 'login', `account:${hashOfToken(email)}`);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.retryAfterSeconds === undefined) throw error;
    reply.header('retry-after', error.retryAfterSeconds);
    return `Too many attempts. Try again in ${error.retryAfterSeconds} s.`;
  }
}
