import { randomToken } from '../../platform/crypto/secrets.ts';
import { readCookie, setKnownCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';

const purpose = 'known browser';
/** Accounts that one browser is known to at once, the latest first: a shared computer has several. */
const mostAccounts = 5;

/** What ties a browser to the account that it logged in to; another email address of the account is another mark. */
function markOf(email: string): string {
  return hashOfToken(email).slice(0, 32);
}

/** Marks of accounts with the browser's name at each, the latest first; empty when the cookie is not one of ours. */
function namesIn({ context, request }: Exchange): (readonly [mark: string, name: string])[] {
  const cookie = readCookie(context.config, request, 'known');
  const parts = (cookie && context.secrets.verify(purpose, cookie.value))?.split('.') ?? [];
  return parts.flatMap((mark, i) => {
    const name = parts[i + 1];
    return i % 2 === 0 && name !== undefined ? [[mark, name] as const] : [];
  });
}

/**
 * The name under which the browser is known to an account that it has logged in to before; null for any other browser.
 *
 * @param email trimmed and lower case
 */
export function knownBrowser(exchange: Exchange, email: string): string | null {
  const own = markOf(email);
  return namesIn(exchange).find(([mark]) => mark === own)?.[1] ?? null;
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
  const names = [[markOf(email), randomToken(16)] as const, ...namesIn(exchange)].slice(0, mostAccounts);
  setKnownCookie(exchange, exchange.context.secrets.sign(purpose, names.flat().join('.')));
}
