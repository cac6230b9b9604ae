import { createStore } from 'zustand/vanilla';
import { pageMeta } from '../client/page-meta.ts';

const storageKey = 'stem-studio.played';

/** Parses the stored ids of played tracks; empty for invalid text or another login session. */
export function parsePlayed(text: string | null, loginSession: string): ReadonlySet<string> {
  const none = new Set<string>();
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    // Not JSON: no track was played.
  }
  if (typeof stored !== 'object' || stored === null || !('login' in stored) || !('ids' in stored))
    return none;
  if (stored.login !== loginSession || !Array.isArray(stored.ids)) return none;
  return new Set(stored.ids.filter((id) => typeof id === 'string'));
}

function readStored(): ReadonlySet<string> {
  try {
    return parsePlayed(sessionStorage.getItem(storageKey), pageMeta('login-session'));
  } catch {
    // Storage is blocked, or there is no browser.
    return new Set();
  }
}

/** Ids of the tracks played since the log-in, in this browser tab. */
export const played = createStore<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: readStored() }));

function store(ids: ReadonlySet<string>): void {
  played.setState({ ids });
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ login: pageMeta('login-session'), ids: [...ids] }));
  } catch {
    // Without storage, known until the page is closed.
  }
}

/** Marks a track as played. */
export function markPlayed(trackId: string): void {
  const { ids } = played.getState();
  if (!ids.has(trackId)) store(new Set([...ids, trackId]));
}

/** Removes the played mark of a track. */
export function unmarkPlayed(trackId: string): void {
  const { ids } = played.getState();
  if (ids.has(trackId)) store(new Set([...ids].filter((id) => id !== trackId)));
}
