import type { Scope } from '@stem-studio/audio/base/scope';
import { createStore } from 'zustand/vanilla';

/** The tabs of the page; only the account menu and the settings link to `trash` and, for admins, to `networks`. */
export const tabs = ['library', 'dj', 'daw', 'jobs', 'trash', 'networks'] as const;
/** One of {@link tabs}. */
export type Tab = (typeof tabs)[number];

/** Tabs of the track page. */
export const trackPanels = ['mix', 'grid', 'notes', 'analysis'] as const;
/** One of {@link trackPanels}. */
export type TrackPanel = (typeof trackPanels)[number];

/** What the library lists: all tracks, those added lately, the tracks of a crate, or the played sets. */
export type LibrarySource =
  | { readonly kind: 'all' | 'recent' | 'history' }
  | { readonly kind: 'crate'; readonly id: string };

/** Page state that the address bar contains. */
export interface Route {
  tab: Tab;
  /** Source of the library's list, which the tabs of library and decks show. */
  source: LibrarySource;
  /** Id of the open track, or null. */
  track: string | null;
  /** Whether the open track fills the page. */
  isTall: boolean;
  /** Tab of the track page. */
  panel: TrackPanel;
  /** Id of the track in the editor; null for none, and on other tabs. */
  edited: string | null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const allTracks: LibrarySource = { kind: 'all' };

/** Returns the source that a tab can show. The decks are beside a list of tracks, so they show no played sets. */
function sourceOn(tab: Tab, source: LibrarySource): LibrarySource {
  if (tab === 'library') return source;
  return tab === 'dj' && source.kind !== 'history' ? source : allTracks;
}

/** Whether a tab can show the player of a track; decks and editor need the whole page and the audio output. */
const hasPlayer = (tab: Tab): boolean => tab !== 'dj' && tab !== 'daw';

function parseSource(params: URLSearchParams): LibrarySource {
  const id = params.get('crate') ?? '';
  if (uuid.test(id)) return { kind: 'crate', id };
  const list = params.get('list');
  return list === 'recent' || list === 'history' ? { kind: list } : allTracks;
}

/** Whether two sources are the same list. */
export function isSameSource(a: LibrarySource, b: LibrarySource): boolean {
  return a.kind === b.kind && (a.kind !== 'crate' || b.kind !== 'crate' || a.id === b.id);
}

/** Parses a query such as `?tab=jobs&track=…`; unknown values mean the library with all tracks. */
export function parseRoute(search: string): Route {
  const params = new URLSearchParams(search);
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'library';
  const source = sourceOn(tab, parseSource(params));
  const track = params.get('track') ?? '';
  const named = params.get('track_id') ?? '';
  const edited = tab === 'daw' && uuid.test(named) ? named : null;
  if (!hasPlayer(tab) || !uuid.test(track))
    return { tab, source, track: null, isTall: false, panel: 'mix', edited };
  const panel = trackPanels.find((name) => name === params.get('panel')) ?? 'mix';
  return { tab, source, track, isTall: params.get('view') === 'track', panel, edited };
}

/** Returns the shortest address of a route, such as `/?tab=jobs`. */
export function routeAddress({ tab, source, track, isTall, panel, edited }: Route): string {
  const params = new URLSearchParams();
  if (tab !== 'library') params.set('tab', tab);
  if (source.kind === 'crate') params.set('crate', source.id);
  else if (source.kind !== 'all') params.set('list', source.kind);
  if (edited !== null) params.set('track_id', edited);
  if (track !== null) params.set('track', track);
  if (track !== null && isTall) params.set('view', 'track');
  if (track !== null && panel !== 'mix') params.set('panel', panel);
  return params.size === 0 ? '/' : `/?${params}`;
}

/** The current route. Changed by {@link goTo} and by the browser's back and forward buttons. */
export const route = createStore<Route>(() => parseRoute(globalThis.location?.search ?? ''));

/** Changes the route, with an entry in the browser's history if the address changes. */
export function goTo(change: Partial<Route>): void {
  const next = { ...route.getState(), ...change };
  next.source = sourceOn(next.tab, next.source);
  if (!hasPlayer(next.tab)) next.track = null;
  if (next.tab !== 'daw') next.edited = null;
  if (next.track === null) Object.assign(next, { isTall: false, panel: 'mix' });
  const address = routeAddress(next);
  if (address !== routeAddress(route.getState())) history.pushState(null, '', address);
  route.setState(next);
}

/** Follows the browser's back and forward buttons until `scope` ends. */
export function followHistory(scope: Scope): void {
  scope.listen(globalThis, 'popstate', () => route.setState(parseRoute(location.search)));
}
