import { randomToken } from '../../platform/crypto/secrets.ts';
import { cookieIn, cookieNames, setKnownCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';

const purpose = 'known browser';

/** What ties a browser to the account that it logged in to; another email address of the account is another mark. */
function markOf(email: string): string {
  return hashOfToken(email).slice(0, 32);
}

/**
 * The name under which the browser is known to an account that it has logged in to before; null for any other browser.
 *
 * @param email trimmed and lower case
 */
export function knownBrowser({ context, request }: Exchange, email: string): string | null {
  const cookie = cookieIn(request.headers.cookie, cookieNames.known);
  const [mark, name] = (cookie && context.secrets.verify(purpose, cookie))?.split('.') ?? [];
  return mark === markOf(email) ? (name ?? null) : null;
}

/**
 * Remembers for a year that the browser has logged in to the account. Its attempts are counted by themselves from then
 * on, so that nobody who guesses at the account from elsewhere keeps its user out.
 *
 * @param email trimmed and lower case
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 * @see docs/decisions/0081-log-in-attempts.md
 */
export function rememberBrowser(exchange: Exchange, email: string): void {
  if (knownBrowser(exchange, email) !== null) return;
  setKnownCookie(exchange, exchange.context.secrets.sign(purpose, `${markOf(email)}.${randomToken(16)}`));
}
