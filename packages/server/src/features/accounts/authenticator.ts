import type { IncomingMessage } from 'node:http';
import { hasScope } from '@stem-studio/contract/scopes';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import type { Authenticator, Viewer } from '../../platform/http/viewer.ts';
import { touchUser, type UserRow } from '../users/index.ts';
import { findKeyLogin, touchApiKey } from './api-keys.store.ts';
import { type ReadCookie, readCookie, setLoginCookie } from './cookies.ts';
import { checkCsrf, checkSocketCsrf } from './csrf.ts';
import type { Exchange } from './exchange.ts';
import { hashOfToken } from './hash-of-token.ts';
import { renewLogin } from './log-in.service.ts';
import { findLogin, type Login } from './login-sessions.store.ts';

/** Minimum interval between two writes of "last active" or "last used", in ms. */
const touchEveryMs = 60_000;

const recognised = new WeakMap<FastifyRequest, Login>();
/** Age of a login from which its cookie is sent again, in ms. */
const renewCookieAfterMs = 86_400_000;

/** Extends the browser's login cookie by sixty days. Every page calls it, because every use renews the login. */
export function renewLoginCookie(exchange: Exchange): void {
  const login = recognised.get(exchange.request);
  const cookie = readCookie(exchange.context.config, exchange.request, 'login');
  if (!login || !cookie) return;
  const ageMs = exchange.context.clock.now().getTime() - login.session.created_at.getTime();
  if (ageMs >= renewCookieAfterMs || cookie.isUnbound) setLoginCookie(exchange, cookie.value);
}

/**
 * Authenticates a request by bearer token, otherwise by login cookie. If a token is present, only the token counts.
 * Deactivated users, expired logins and revoked keys are rejected from the next request on.
 *
 * @spec Login
 */
export function createAuthenticator(context: Context): Authenticator {
  return {
    viewerOf: async (request) => {
      const token = bearerToken(request.headers.authorization);
      if (token !== null) return await viewerOfToken(context, token);
      const cookie = readCookie(context.config, request, 'login');
      if (cookie === null) return null;
      const login = await loginOfCookie(context, cookie);
      if (!login) return null;
      recognised.set(request, login);
      return viewerOfLogin(login);
    },
    checkCsrf: async (request, viewer) => {
      checkCsrf(context, request, viewer);
    },
    viewerOfSocket: async (request) => {
      const token = bearerToken(request.headers.authorization) ?? socketToken(request);
      if (token !== null) return await viewerOfToken(context, token);
      const cookie = readCookie(context.config, request, 'login');
      const login = cookie === null ? null : await loginOfCookie(context, cookie);
      return login && viewerOfLogin(login);
    },
    checkSocketCsrf: (token, viewer) => checkSocketCsrf(context, token, viewer),
  };
}

/** Reads the bearer token. Other schemes, such as a proxy's Basic, are ignored, and the cookie still counts. */
function bearerToken(header: string | undefined): string | null {
  return /^Bearer\s+(\S*)\s*$/i.exec(header ?? '')?.[1] ?? null;
}

/**
 * Reads the token of a socket from the query or the subprotocols. The public client sends its `authToken` as a
 * subprotocol, where access logs do not record it.
 */
function socketToken(request: IncomingMessage): string | null {
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  const [, encoded] = /(?:^|,)\s*base64url\.bearer\.phx\.([\w+/-]+)/.exec(offered) ?? [];
  if (encoded !== undefined) return Buffer.from(encoded, 'base64').toString('utf8');
  return new URL(request.url ?? '/', 'http://localhost').searchParams.get('token');
}

async function viewerOfToken(context: Context, token: string): Promise<Viewer | null> {
  const now = context.clock.now();
  const found = await findKeyLogin(context.db, hashOfToken(token), now);
  if (!found) return null;
  const { key, user } = found;
  if (isStale(key.last_used_at, now)) await touchApiKey(context.db, key.id, now);
  await noteActive(context, user, now);
  return {
    ...identityOf(user),
    role: hasScope(key.scopes, 'admin') ? user.role : 'user',
    scopes: key.scopes,
    via: 'token',
    login_session_id: null,
    api_key_id: key.id,
    expires_at: key.expires_at,
  };
}

async function loginOfCookie(context: Context, cookie: ReadCookie): Promise<Login | null> {
  const now = context.clock.now();
  const login = await findLogin(context.db, hashOfToken(cookie.value), now);
  if (!login || (cookie.isUnbound && !login.session.may_use_plain_cookie)) return null;
  await renewLogin(context, login);
  await noteActive(context, login.user, now);
  return login;
}

function viewerOfLogin({ session, user }: Login): Viewer {
  return {
    ...identityOf(user),
    scopes: null,
    via: 'cookie',
    login_session_id: session.id,
    api_key_id: null,
    expires_at: session.expires_at,
  };
}

function identityOf({
  id,
  email,
  role,
}: Pick<UserRow, 'id' | 'email' | 'role'>): Pick<Viewer, 'id' | 'email' | 'role'> {
  return { id, email, role };
}

function isStale(last: Date | null, now: Date): boolean {
  return last === null || now.getTime() - last.getTime() >= touchEveryMs;
}

async function noteActive(
  context: Context,
  user: Pick<UserRow, 'id' | 'last_active_at'>,
  now: Date,
): Promise<void> {
  if (!isStale(user.last_active_at, now)) return;
  await touchUser(context.db, user.id, now, new Date(now.getTime() - touchEveryMs));
}
