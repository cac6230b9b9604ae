import { createStore } from 'zustand/vanilla';
import { pageMeta } from '../client/page-meta.ts';

const storageKey = 'stem-studio.played';

/** What `text` keeps of a login session: ids of tracks; none where it is of another login session or nothing at all. */
export function parsePlayed(text: string | null, loginSession: string): ReadonlySet<string> {
  const nothing = new Set<string>();
  let kept: unknown = null;
  try {
    kept = JSON.parse(text ?? 'null');
  } catch {
    // Somebody else's text: nothing was played.
  }
  if (typeof kept !== 'object' || kept === null || !('login' in kept) || !('ids' in kept)) return nothing;
  if (kept.login !== loginSession || !Array.isArray(kept.ids)) return nothing;
  return new Set(kept.ids.filter((id) => typeof id === 'string'));
}

function readKept(): ReadonlySet<string> {
  try {
    return parsePlayed(sessionStorage.getItem(storageKey), pageMeta('login-session'));
  } catch {
    // A browser that keeps nothing for this page, or no browser at all.
    return new Set();
  }
}

/** Ids of the tracks that were played since the log-in, in this tab of the browser. */
export const played = createStore<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: readKept() }));

function keep(ids: ReadonlySet<string>): void {
  played.setState({ ids });
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ login: pageMeta('login-session'), ids: [...ids] }));
  } catch {
    // Without a place to keep it, it is known until the page is left.
  }
}

/** Marks a track as played. */
export function markPlayed(trackId: string): void {
  const { ids } = played.getState();
  if (!ids.has(trackId)) keep(new Set([...ids, trackId]));
}

/** Takes the mark away again. */
export function unmarkPlayed(trackId: string): void {
  const { ids } = played.getState();
  if (ids.has(trackId)) keep(new Set([...ids].filter((id) => id !== trackId)));
}
