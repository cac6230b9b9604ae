import type { IncomingMessage } from 'node:http';
import type { Role } from '@stem-studio/contract/roles';
import { forbidden } from '../platform/errors.ts';
import type { Authenticator, Viewer } from '../platform/http/viewer.ts';

/**
 * Authenticates callers by plain text: `Bearer 7` or `Bearer 7:admin` is user 7, the cookie `user=7` is their browser,
 * the CSRF token is `yes`. For tests of the platform, which has no accounts.
 */
export const fakeAuthenticator: Authenticator = {
  viewerOf: (request) => Promise.resolve(viewerOfHeaders(request.headers)),
  checkCsrf: (request) => {
    if (request.headers['x-csrf-token'] !== 'yes') throw forbidden('the CSRF token is missing');
    return Promise.resolve();
  },
  viewerOfSocket: (request: IncomingMessage) => {
    const token = new URL(request.url ?? '', 'http://localhost').searchParams.get('token');
    const headers = token === null ? request.headers : { authorization: `Bearer ${token}` };
    return Promise.resolve(viewerOfHeaders(headers));
  },
  checkSocketCsrf: (token) => {
    if (token !== 'yes') throw forbidden('the CSRF token is missing');
  },
};

function viewerOfHeaders(headers: { authorization?: string; cookie?: string }): Viewer | null {
  const [, token, role] = /^Bearer (\d+)(?::(\w+))?$/.exec(headers.authorization ?? '') ?? [];
  if (token) return viewer(Number(token), 'token', (role ?? 'user') as Role);
  const [, cookie] = /(?:^|; )user=(\d+)/.exec(headers.cookie ?? '') ?? [];
  return cookie ? viewer(Number(cookie), 'cookie', 'user') : null;
}

function viewer(id: number, via: Viewer['via'], role: Role): Viewer {
  return {
    id,
    email: `user${id}@example.org`,
    role,
    scopes: null,
    via,
    login_session_id: via === 'cookie' ? `login-${id}` : null,
    api_key_id: via === 'token' ? `key-${id}` : null,
    expires_at: null,
  };
}
