import { createStore } from 'zustand/vanilla';
import { metaOf } from './page-meta.ts';

/** Whose login this page has taken on last, after one that had ended; null for none yet. Told each time. */
export const renewedLogin = createStore<{ readonly userId: number | null }>(() => ({ userId: null }));

/**
 * Gives this page the CSRF token of the login that the browser has by now, so that it need not be loaded again. Answers
 * whether there is one: false where nobody is logged in, or the service cannot be reached.
 */
export async function renewCsrfToken(): Promise<boolean> {
  try {
    // Who is not logged in is sent to another page, whose token is for its form only.
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
