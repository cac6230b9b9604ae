import type { Exchange } from './exchange.ts';
import { loginDays } from './log-in.service.ts';

/** Cookies of the account pages. All are HttpOnly and SameSite=Lax, and Secure behind https. */
export const cookieNames = {
  /** Who is logged in; lasts sixty days. */
  login: 'stem_studio_session',
  /** What the CSRF token of a form is bound to before log-in; lasts as long as the browser runs. */
  form: 'stem_studio_form',
  /** That this browser has logged in to an account before; lasts a year. */
  known: 'stem_studio_known',
  /** What a browser that was sent to the catalog has to come back with. */
  catalog: 'stem_studio_catalog',
  /** A word for what was just done, shown once on the next page. */
  flash: 'stem_studio_flash',
} as const;

/** The value of a cookie in a `Cookie` header, or null. Ours hold only letters, digits, `-`, `_` and `.`: nothing is encoded. */
export function cookieIn(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim() || null;
  }
  return null;
}

/** Whether the browser reached us by https: straight, or under the public address behind a proxy. */
function isSecure({ context, request }: Exchange): boolean {
  if (request.protocol === 'https') return true;
  const { publicUrl } = context.config;
  return publicUrl !== null && publicUrl.startsWith('https:') && new URL(publicUrl).host === request.host;
}

/** Sets a cookie; without `maxAgeSeconds` it lasts as long as the browser runs, with 0 it goes. */
function setCookie(exchange: Exchange, name: string, value: string, maxAgeSeconds?: number): void {
  const lasting = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = isSecure(exchange) ? '; Secure' : '';
  exchange.reply.header('set-cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${lasting}${secure}`);
}

/** Gives the browser its login, and takes the form cookie, which has served. */
export function setLoginCookie(exchange: Exchange, token: string): void {
  setCookie(exchange, cookieNames.login, token, loginDays * 86_400);
  if (cookieIn(exchange.request.headers.cookie, cookieNames.form)) clearCookie(exchange, 'form');
}

/** Gives the browser what its form's CSRF token is bound to. */
export function setFormCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, cookieNames.form, value);
}

/** Leaves a word for the next page. */
export function setFlashCookie(exchange: Exchange, word: string): void {
  setCookie(exchange, cookieNames.flash, word, 60);
}

/** Lets the browser say later which account it has logged in to. */
export function setKnownCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, cookieNames.known, value, 365 * 86_400);
}

/** Ties the way to the catalog and back to this browser. */
export function setCatalogCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, cookieNames.catalog, value, 600);
}

/** Takes a cookie from the browser. */
export function clearCookie(exchange: Exchange, which: keyof typeof cookieNames): void {
  setCookie(exchange, cookieNames[which], '', 0);
}
