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

/** Returns the clock of the decks of a page: created before them, synchronised by their link. */
export function createPageClock(): ServiceClock {
  return createServiceClock(pageTimeMs);
}

/** Options of {@link openPageDeckLink}. */
export interface PageDeckLinkOptions
  extends Pick<DeckLinkOptions, 'decks' | 'clock' | 'onStatus' | 'onRefused'> {
  /** Returns the id of the logged-in user; null if unknown. */
  readonly userId: () => number | null;
}

/**
 * Links the decks of this page to the deck session of its login. A page that closes or reloads pauses its decks and
 * releases the audio; a page restored from the back-forward cache takes it over again. After its login has ended, the
 * link restarts with the next login of the same user.
 */
export function openPageDeckLink({ userId, onStatus, ...options }: PageDeckLinkOptions): DeckLink {
  const scope = new Scope();
  const client = randomName();
  holdWindowName(client, scope);
  let link: DeckLink | null = null;
  // Must precede the socket's own listener for this event, which closes the socket.
  scope.listen(window, 'pagehide', () => link?.releaseAudio());
  const socket = new Socket('/live', {
    // Reads the token of the login that is current when the socket connects.
    params: () => ({ _csrf_token: pageMeta('csrf-token') }),
    heartbeatIntervalMs: 25_000,
  });
  let owner: number | null = null;
  const receiveStatus = (status: DeckLinkStatus) => {
    if (status === 'ended') owner = userId();
    onStatus?.(status);
  };
  const renewed = ({ userId: whose }: { userId: number | null }) => {
    if (whose === owner) link?.renew();
  };
  scope.own(renewedLogin.subscribe(renewed));
  link = openDeckLink({
    ...options,
    onStatus: receiveStatus,
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
