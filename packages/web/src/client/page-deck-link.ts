import { Scope } from '@stem-studio/audio/base/scope';
import { Socket } from 'phoenix';
import { pageTimeMs } from '../base/page-time.ts';
import { randomName } from '../base/random-name.ts';
import { type DeckLink, type DeckLinkOptions, openDeckLink } from './deck-link.ts';
import type { DeckLinkStatus } from './decks/link-status.ts';
import { createServiceClock, type ServiceClock } from './decks/service-clock.ts';
import { createDeckWindows, holdWindowName } from './decks/window-locks.ts';
import { pageMeta } from './page-meta.ts';
import { renewedLogin } from './renew-csrf-token.ts';

/** The clock that the decks of a page reckon by: made before them, set by their link. */
export function createPageClock(): ServiceClock {
  return createServiceClock(pageTimeMs);
}

/** What {@link openPageDeckLink} needs. */
export interface PageDeckLinkOptions
  extends Pick<DeckLinkOptions, 'decks' | 'clock' | 'onStatus' | 'onRefused'> {
  /** Who is logged in, as far as the page knows by now. */
  readonly userId: () => number | null;
}

/**
 * Links the decks of this page with the deck session of its login. A page that goes, by a reload too, pauses them where
 * they are and gives the sound away; one that comes back out of the browser's memory takes it again. After its login has
 * ended the link begins again with the next login of the same user that the page takes on.
 */
export function openPageDeckLink({ userId, onStatus, ...options }: PageDeckLinkOptions): DeckLink {
  const scope = new Scope();
  const client = randomName();
  holdWindowName(client, scope);
  let link: DeckLink | null = null;
  // Before the socket listens for the same, and closes itself.
  scope.listen(window, 'pagehide', () => link?.leaveSound());
  const socket = new Socket('/live', {
    // That of the login that there is when it connects.
    params: () => ({ _csrf_token: pageMeta('csrf-token') }),
    heartbeatIntervalMs: 25_000,
  });
  let owner: number | null = null;
  const heardStatus = (status: DeckLinkStatus) => {
    if (status === 'ended') owner = userId();
    onStatus?.(status);
  };
  const renewed = ({ userId: whose }: { userId: number | null }) => {
    if (whose === owner) link?.renew();
  };
  scope.own(renewedLogin.subscribe(renewed));
  link = openDeckLink({
    ...options,
    onStatus: heardStatus,
    ownMs: pageTimeMs,
    socket,
    client,
    windows: createDeckWindows(),
  });
  const { dispose } = link;
  return {
    ...link,
    dispose() {
      scope.dispose();
      dispose();
    },
  };
}
