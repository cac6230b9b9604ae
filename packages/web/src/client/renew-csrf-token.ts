import { createStore } from 'zustand/vanilla';
import { metaOf } from './page-meta.ts';

/** User of the newest log-in that this page has adopted after its own session ended; null for none. */
export const renewedLogin = createStore<{ readonly userId: number | null }>(() => ({ userId: null }));

/**
 * Replaces the page's CSRF token by that of the browser's current login session, so that the page need not be
 * reloaded. Returns false if the browser is not logged in or the service cannot be reached.
 */
export async function renewCsrfToken(): Promise<boolean> {
  try {
    // Without a login the service redirects to another page, whose token is for its form only.
    const response = await fetch('/', { headers: { accept: 'text/html' }, redirect: 'error' });
    if (!response.ok) return false;
    const fresh = metaOf(new DOMParser().parseFromString(await response.text(), 'text/html'), 'csrf-token');
    const own = metaOf(document, 'csrf-token');
    if (!fresh || !own || fresh.content === '') return false;
    own.content = fresh.content;
    return true;
  } catch {
    return false;
  }
}
