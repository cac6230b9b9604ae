import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { randomToken } from '../../platform/crypto/secrets.ts';
import { forbidden, ServiceError } from '../../platform/errors.ts';
import { isOwnPage } from '../../platform/http/own-origin.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { readCookie, setFormCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';

/**
 * Computes the HMAC of a CSRF token over its random part and its binding. The binding is the login session, or the
 * form cookie before log-in. A token is valid only in the browser it was issued to and is not stored in the database.
 *
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html#signed-double-submit-cookie-recommended
 * @see docs/decisions/0022-csrf-tokens.md
 */
function macOf(context: Context, binding: string, random: string): Buffer {
  return createHmac('sha256', context.secrets.derive('csrf')).update(`${binding}:${random}`).digest();
}

function sign(context: Context, binding: string): string {
  const random = randomToken(16);
  return `${random}.${macOf(context, binding, random).toString('base64url')}`;
}

function holds(context: Context, binding: string, token: string): boolean {
  const [random = '', mac = ''] = token.split('.', 2);
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(context, binding, random);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Returns the binding of a request's CSRF token; null if the browser has neither login nor form cookie. */
function bindingOf(context: Context, request: FastifyRequest, viewer: Viewer | null): string | null {
  if (viewer?.login_session_id) return `login:${viewer.login_session_id}`;
  const form = readCookie(context.config, request, 'form');
  return form && !form.isUnbound ? `form:${hashOfToken(form.value)}` : null;
}

/** Returns a CSRF token for the page being rendered, and sets a form cookie if needed. */
export function csrfTokenFor(exchange: Exchange, viewer: Viewer | null): string {
  const { context, request } = exchange;
  const binding = bindingOf(context, request, viewer);
  if (binding) return sign(context, binding);
  const form = randomToken();
  setFormCookie(exchange, form);
  return sign(context, `form:${hashOfToken(form)}`);
}

/** Returns the token of a request: header `x-csrf-token`, or field `_csrf_token` of a form. */
function givenToken(request: FastifyRequest): string | null {
  const header = request.headers['x-csrf-token'];
  if (typeof header === 'string') return header;
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || !('_csrf_token' in body)) return null;
  return typeof body._csrf_token === 'string' ? body._csrf_token : null;
}

/**
 * Throws 403 unless the request carries a valid CSRF token and comes from this site. The site is checked by the
 * headers `Origin` and `Sec-Fetch-Site`, as far as the browser sends them. Requests with a bearer token need no CSRF
 * token, because no other site can make a browser send one.
 *
 * @spec CSRF protection
 */
export function checkCsrf(context: Context, request: FastifyRequest, viewer: Viewer | null): void {
  if (viewer?.via === 'token') return;
  if (!isOwnPage(context, request))
    throw forbidden(
      `what the login cookie allows must come from our own pages (this comes from ${JSON.stringify(request.headers.origin ?? 'another site')}; behind a proxy, PUBLIC_URL says which address is ours)`,
    );
  requireToken(context, bindingOf(context, request, viewer), givenToken(request));
}

/** Throws 403 unless `token` was issued for the login session of `viewer`. Required of sockets of the live pages. */
export function checkSocketCsrf(context: Context, token: string | null, viewer: Viewer): void {
  requireToken(context, viewer.login_session_id && `login:${viewer.login_session_id}`, token);
}

const staleToken = 'the CSRF token is missing or of another login: reload the page and try again';

function requireToken(context: Context, binding: string | null, token: string | null): void {
  if (binding && token && holds(context, binding, token)) return;
  throw forbidden(staleToken);
}

/** Returns whether an error of {@link checkCsrf} says that the token belongs to another login or is missing. */
export function isStaleToken(error: unknown): boolean {
  return error instanceof ServiceError && error.message === staleToken;
}
