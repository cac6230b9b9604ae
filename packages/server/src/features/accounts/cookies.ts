import type { Config } from '../../platform/config.ts';
import type { Exchange } from './exchange.ts';
import { loginDays } from './log-in.service.ts';

/**
 * Cookies of the account pages. All are HttpOnly and SameSite=Lax. Under https they are Secure and named `__Host-…`.
 */
export const cookieNames = {
  /** Login session; lasts sixty days. */
  login: 'stem_studio_session',
  /** Binding of a form's CSRF token before log-in; a session cookie. */
  form: 'stem_studio_form',
  /** Marks a browser that has logged in to an account before; lasts a year. */
  known: 'stem_studio_known',
  /** Token with which a browser must return from the catalog. */
  catalog: 'stem_studio_catalog',
  /** Key of the message shown once on the next page. */
  flash: 'stem_studio_flash',
} as const;

/**
 * Returns the value of a cookie in a `Cookie` header, or null. Values contain only letters, digits, `-`, `_` and `.`,
 * so no decoding is needed.
 */
function cookieIn(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim() || null;
  }
  return null;
}

/** Protocol, host and cookies of a request. The upgrade request of a socket has no `protocol` and no `host`. */
interface CookieRequest {
  readonly headers: { readonly cookie?: string | undefined; readonly host?: string | undefined };
  readonly protocol?: string;
  readonly host?: string;
}

/** Tells whether the browser uses https, either directly or by the public address behind a proxy. */
function isSecure({ publicUrl }: Config, request: CookieRequest): boolean {
  if (request.protocol === 'https') return true;
  if (publicUrl === null || !publicUrl.startsWith('https:')) return false;
  return new URL(publicUrl).host === (request.host ?? request.headers.host);
}

/**
 * Prefix of every cookie name under https. Browsers accept such cookies only from this exact host over https, so that
 * neither a sibling subdomain nor a plain connection can plant one.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#name-the-__host-prefix
 */
const hostPrefix = '__Host-';

/** A cookie received with a request. */
export interface ReadCookie {
  readonly value: string;
  /** Whether it has its plain name over https, where another host may have planted it. */
  readonly isUnbound: boolean;
}

/** Reads a cookie of a request under its prefixed or plain name; null if there is none. */
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

/** Sets a cookie. Without `maxAgeSeconds` it is a session cookie; 0 deletes it. */
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

/** Sets the login cookie and deletes the form cookie, which is no longer needed. */
export function setLoginCookie(exchange: Exchange, token: string): void {
  setCookie(exchange, 'login', token, loginDays * 86_400);
  if (readCookie(exchange.context.config, exchange.request, 'form')) clearCookie(exchange, 'form');
}

/** Sets the cookie that binds the CSRF token of a form. */
export function setFormCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, 'form', value);
}

/** Sets the key of the message for the next page. */
export function setFlashCookie(exchange: Exchange, word: string): void {
  setCookie(exchange, 'flash', word, 60);
}

/** Sets the cookie that identifies a browser known to an account. */
export function setKnownCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, 'known', value, 365 * 86_400);
}

/** Sets the cookie that binds a pending catalog log-in to this browser. */
export function setCatalogCookie(exchange: Exchange, value: string): void {
  setCookie(exchange, 'catalog', value, 600);
}

/** Deletes a cookie in the browser. */
export function clearCookie(exchange: Exchange, which: keyof typeof cookieNames): void {
  setCookie(exchange, which, '', 0);
}
