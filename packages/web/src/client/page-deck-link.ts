import { Scope } from '@stem-studio/audio/base/scope';
import { Socket } from 'phoenix';
import { pageTimeMs } from '../base/page-time.ts';
import { randomName } from '../base/random-name.ts';
import { type DeckLink, type DeckLinkOptions, openDeckLink } from './deck-link.ts';
import { createServiceClock, type ServiceClock } from './decks/service-clock.ts';
import { createDeckWindows, holdWindowName } from './decks/window-locks.ts';
import { pageMeta } from './page-meta.ts';

/** The clock that the decks of a page reckon by: made before them, set by their link. */
export function createPageClock(): ServiceClock {
  return createServiceClock(pageTimeMs);
}

/**
 * Links the decks of this page with the deck session of its login. A page that goes, by a reload too, pauses them where
 * they are and gives the sound away; one that comes back out of the browser's memory takes it again.
 */
export function openPageDeckLink(
  options: Pick<DeckLinkOptions, 'decks' | 'clock' | 'onStatus' | 'onRefused'>,
): DeckLink {
  const scope = new Scope();
  const client = randomName();
  holdWindowName(client, scope);
  let link: DeckLink | null = null;
  // Before the socket listens for the same, and closes itself.
  scope.listen(window, 'pagehide', () => link?.leaveSound());
  const socket = new Socket('/live', {
    params: { _csrf_token: pageMeta('csrf-token') },
    heartbeatIntervalMs: 25_000,
  });
  link = openDeckLink({ ...options, ownMs: pageTimeMs, socket, client, windows: createDeckWindows() });
  const { dispose } = link;
  return {
    ...link,
    dispose() {
      scope.dispose();
      dispose();
    },
  };
}
