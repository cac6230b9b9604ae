import type { Scope } from '@stem-studio/audio/base/scope';
import { createStore } from 'zustand/vanilla';

/** The tabs of the page; only the account menu and the settings link to `trash` and, for admins, to `networks`. */
export const tabs = ['library', 'dj', 'jobs', 'trash', 'networks'] as const;
/** One of {@link tabs}. */
export type Tab = (typeof tabs)[number];

/** Tabs of the track page. */
export const trackPanels = ['mix', 'grid', 'notes', 'analysis'] as const;
/** One of {@link trackPanels}. */
export type TrackPanel = (typeof trackPanels)[number];

/** Page state that the address bar contains. */
export interface Route {
  tab: Tab;
  /** Id of the open track, or null. */
  track: string | null;
  /** Whether the open track fills the page. */
  isTall: boolean;
  /** Tab of the track page. */
  panel: TrackPanel;
}

const trackId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses a query such as `?tab=jobs&track=…`; unknown values mean the library. */
export function parseRoute(search: string): Route {
  const params = new URLSearchParams(search);
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'library';
  const track = params.get('track') ?? '';
  if (tab === 'dj' || !trackId.test(track)) return { tab, track: null, isTall: false, panel: 'mix' };
  const panel = trackPanels.find((name) => name === params.get('panel')) ?? 'mix';
  return { tab, track, isTall: params.get('view') === 'track', panel };
}

/** Returns the shortest address of a route, such as `/?tab=jobs`. */
export function routeAddress({ tab, track, isTall, panel }: Route): string {
  const params = new URLSearchParams();
  if (tab !== 'library') params.set('tab', tab);
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
  // The DJ tab needs the whole page and the audio output for itself.
  if (next.tab === 'dj') next.track = null;
  if (next.track === null) Object.assign(next, { isTall: false, panel: 'mix' });
  const address = routeAddress(next);
  if (address !== routeAddress(route.getState())) history.pushState(null, '', address);
  route.setState(next);
}

/** Follows the browser's back and forward buttons until `scope` ends. */
export function followHistory(scope: Scope): void {
  scope.listen(globalThis, 'popstate', () => route.setState(parseRoute(location.search)));
}
