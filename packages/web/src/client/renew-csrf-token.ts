import { createStore } from 'zustand/vanilla';
import { ApiError } from './api-error.ts';
import { metaOf } from './page-meta.ts';

/** User of the newest log-in that this page has adopted after its own session ended; null for none. */
export const renewedLogin = createStore<{ readonly userId: number | null }>(() => ({ userId: null }));

/** Email address of the user who has logged in with this browser since, in place of the one of this page. */
export const otherLogin = createStore<{ readonly email: string | null }>(() => ({ email: null }));

/** Login that the page's CSRF token belongs to. */
interface LoginOfToken {
  readonly session: string;
  readonly email: string;
}

let current: LoginOfToken | null = null;

function loginOf(page: Document): LoginOfToken {
  const text = (name: 'login-session' | 'login-email') => metaOf(page, name)?.content ?? '';
  return { session: text('login-session'), email: text('login-email') };
}

/** Returns the page as the service renders it now, or null if the browser is not logged in. */
async function fetchPage(): Promise<Document | null> {
  try {
    // Without a login the service redirects to another page, whose token is for its form only.
    const response = await fetch('/', { headers: { accept: 'text/html' }, redirect: 'error' });
    if (!response.ok) return null;
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return null;
  }
}

function adoptToken(fresh: Document): boolean {
  const token = metaOf(fresh, 'csrf-token')?.content ?? '';
  const own = metaOf(document, 'csrf-token');
  if (!own || token === '') return false;
  own.content = token;
  current = loginOf(fresh);
  return true;
}

/**
 * Replaces the page's CSRF token by that of the browser's current login session, so that the page need not be
 * reloaded. Returns false if the browser is not logged in or the service cannot be reached.
 */
export async function renewCsrfToken(): Promise<boolean> {
  const fresh = await fetchPage();
  return fresh !== null && adoptToken(fresh);
}

/**
 * Finds out whether a call was refused because the CSRF token belongs to an earlier login. Returns true if the same
 * user has logged in since: the token is renewed, and the call may be repeated. Returns false if the token was not the
 * reason.
 *
 * @throws ApiError if another user has logged in: a change that one user has requested is not made for another one
 */
export async function renewAfterRefusal(): Promise<boolean> {
  const before = current ?? loginOf(document);
  const fresh = await fetchPage();
  if (!fresh) return false;
  const now = loginOf(fresh);
  if (now.session === before.session || !adoptToken(fresh)) return false;
  if (now.email === before.email) return true;
  otherLogin.setState({ email: now.email });
  throw new ApiError(`you are logged in as ${now.email} in another tab; nothing was changed`, {
    status: 403,
    code: 'OTHER_LOGIN',
  });
}
