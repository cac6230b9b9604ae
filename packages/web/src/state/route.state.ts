import type { Scope } from '@stem-studio/audio/base/scope';
import { createStore } from 'zustand/vanilla';

/** The tabs that exist. Later rooms add theirs. */
export const tabs = ['library', 'dj', 'jobs'] as const;
/** One of {@link tabs}. */
export type Tab = (typeof tabs)[number];

/** Where in the page the user is: what the address bar says. */
export interface Place {
  tab: Tab;
  /** The open track, or null. */
  track: string | null;
  /** Whether the open track has the whole page. */
  isTall: boolean;
}

const trackId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The place that a query such as `?tab=jobs&track=…` names; what it does not know is the library. */
export function parsePlace(search: string): Place {
  const params = new URLSearchParams(search);
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'library';
  const track = params.get('track') ?? '';
  if (tab === 'dj' || !trackId.test(track)) return { tab, track: null, isTall: false };
  return { tab, track, isTall: params.get('view') === 'track' };
}

/** The address of a place, the shortest that names it. */
export function addressOfPlace(place: Place): string {
  const params = new URLSearchParams();
  if (place.tab !== 'library') params.set('tab', place.tab);
  if (place.track !== null) params.set('track', place.track);
  if (place.track !== null && place.isTall) params.set('view', 'track');
  return params.size === 0 ? '/' : `/?${params}`;
}

/** Where the user is. Changed by {@link goTo} and by the browser's own back and forward. */
export const place = createStore<Place>(() => parsePlace(globalThis.location?.search ?? ''));

/** Goes somewhere, with an entry in the browser's history where the address changes. */
export function goTo(change: Partial<Place>): void {
  const next = { ...place.getState(), ...change };
  // The decks have the page, and the sound, for themselves.
  if (next.tab === 'dj') next.track = null;
  if (next.track === null) next.isTall = false;
  const address = addressOfPlace(next);
  if (address !== addressOfPlace(place.getState())) history.pushState(null, '', address);
  place.setState(next);
}

/** Follows the browser's own back and forward for as long as `scope` lives. */
export function followHistory(scope: Scope): void {
  scope.listen(globalThis, 'popstate', () => place.setState(parsePlace(location.search)));
}
