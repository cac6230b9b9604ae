import { pageMeta } from './page-meta.ts';

/** Returns a value that this tab stored in the present login session; null where there is none. */
export function readTabStorage(key: string): unknown {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('login' in stored) || !('value' in stored))
      return null;
    return stored.login === pageMeta('login-session') ? stored.value : null;
  } catch {
    // Storage is blocked, holds something else, or there is no browser.
    return null;
  }
}

/** Stores a value of this tab until the login session ends. */
export function writeTabStorage(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ login: pageMeta('login-session'), value }));
  } catch {
    // Without storage, known until the page is closed.
  }
}
