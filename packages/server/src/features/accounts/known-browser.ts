import { randomToken } from '../../platform/crypto/secrets.ts';
import { readCookie, setKnownCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';

const purpose = 'known browser';
/** Maximum number of accounts per known browser, latest first; a shared computer has several. */
const mostAccounts = 5;

/** Returns the mark that ties a browser to an account; it changes with the account's email address. */
function markOf(email: string): string {
  return hashOfToken(email).slice(0, 32);
}

/** Returns account marks with the browser's name for each, latest first; empty if the cookie is not authentic. */
function namesIn({ context, request }: Exchange): (readonly [mark: string, name: string])[] {
  const cookie = readCookie(context.config, request, 'known');
  const parts = (cookie && context.secrets.verify(purpose, cookie.value))?.split('.') ?? [];
  return parts.flatMap((mark, i) => {
    const name = parts[i + 1];
    return i % 2 === 0 && name !== undefined ? [[mark, name] as const] : [];
  });
}

/**
 * Returns the browser's name at an account to which it has logged in before; null for any other browser.
 *
 * @param email trimmed and lower case
 */
export function knownBrowser(exchange: Exchange, email: string): string | null {
  const own = markOf(email);
  return namesIn(exchange).find(([mark]) => mark === own)?.[1] ?? null;
}

/**
 * Marks the browser for a year as known to the account. Its attempts are then counted separately, so that guesses
 * from elsewhere do not lock the user out.
 *
 * @param email trimmed and lower case
 * @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 * @see docs/decisions/0081-log-in-attempts.md
 */
export function rememberBrowser(exchange: Exchange, email: string): void {
  if (knownBrowser(exchange, email) !== null) return;
  const names = [[markOf(email), randomToken(16)] as const, ...namesIn(exchange)].slice(0, mostAccounts);
  setKnownCookie(exchange, exchange.context.secrets.sign(purpose, names.flat().join('.')));
}
