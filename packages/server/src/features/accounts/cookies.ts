import type { Config } from '../../platform/config.ts';
import type { Exchange } from './exchange.ts';
import { loginDays } from './log-in.service.ts';

/** Cookies of the account pages. All are HttpOnly and SameSite=Lax; under https they are Secure and named `__Host-…`. */
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
function cookieIn(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim() || null;
  }
  return null;
}

/** What tells how a request came, and its cookies. A socket's request has no `protocol` and no `host`. */
interface CookieRequest {
  readonly headers: { readonly cookie?: string | undefined; readonly host?: string | undefined };
  readonly protocol?: string;
  readonly host?: string;
}

/** Whether the browser reached us by https: straight, or under the public address behind a proxy. */
function isSecure({ publicUrl }: Config, request: CookieRequest): boolean {
  if (request.protocol === 'https') return true;
  if (publicUrl === null || !publicUrl.startsWith('https:')) return false;
  return new URL(publicUrl).host === (request.host ?? request.headers.host);
}

/**
 * Under https every cookie has this prefix. Browsers then take it only from this very host over https: neither a sibling
 * subdomain nor a plain connection can plant one.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix
 */
const hostPrefix = '__Host-';

/** A cookie that a request carries. */
export interface ReadCookie {
  readonly value: string;
  /** Whether it came under its plain name over https, where somebody else may have planted it. */
  readonly isUnbound: boolean;
}

/** The cookie of a request, under either of its names; null when it has none. */
export function readCookie(
  config: Config,
  request: CookieRequest,
  which: keyof typeof cookieNames,
): ReadCookie | null {
  const bound = cookieIn(request.headers.cookie, hostPrefix + cookieNames[which]);
  if (bound !== null) return { value: bound, isUnbound: false };
  const plain = cookieIn(request.headers.cookie, cookieNames[which]);
  return plain === null ? null : { value: plain, isUnbound: isSecure(config, request) };
}

/** Sets a cookie; without `maxAgeSeconds` it lasts as long as the browser runs, with 0 it goes. */
function setCookie(
  { context, request, reply }: Exchange,
  which: keyof typeof cookieNames,
  value: string,
  maxAgeSeconds?: number,
): void {
  const name = cookieNames[which];
  const lasting = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const rest = `Path=/; HttpOnly; SameSite=Lax`;
  if (!isSecure(context.config, request)) {
    reply.header('set-cookie', `${name}=${value}; ${rest}${lasting}`);
    return;
  }
  reply.header('set-cookie', `${hostPrefix}${name}=${value}; ${rest}${lasting}; Secure`);
  if (cookieIn(request.headers.cookie, name) !== null)
    reply.header('set-cookie', `${name}=; ${rest}; Max-Age=0; Secure`);
}

/** Gives the browser its login, and takes the form cookie, which has served. */
export function setLoginCookie(exchange: Exchange, token: string): void {
  setCookie(exchange, 'login', token, loginDays * 86_400);
  if (readCookie(exchange.context.config, exchange.request, 'form')) clearCookie(exchange, 'form');
}

/** Gives the browser what its form's CSRF token is bound to. */
export function setFormCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, 'form', value);
}

/** Leaves a word for the next page. */
export function setFlashCookie(exchange: Exchange, word: string): void {
  setCookie(exchange, 'flash', word, 60);
}

/** Lets the browser say later which account it has logged in to. */
export function setKnownCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, 'known', value, 365 * 86_400);
}

/** Ties the way to the catalog and back to this browser. */
export function setCatalogCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, 'catalog', value, 600);
}

/** Takes a cookie from the browser. */
export function clearCookie(exchange: Exchange, which: keyof typeof cookieNames): void {
  setCookie(exchange, which, '', 0);
}
