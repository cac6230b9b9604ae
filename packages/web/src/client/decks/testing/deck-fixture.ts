import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { type DeckLink, openDeckLink } from '../../deck-link.ts';
import type { DeckLinkStatus } from '../link-status.ts';
import { createServiceClock } from '../service-clock.ts';
import { DeckRules, tracks } from './deck-rules.ts';
import { PretendWindows } from './pretend-windows.ts';
import { PretendHub } from './pretend-wire.ts';
import { SilentDecks } from './silent-decks.ts';

/** Parts of the test context that a {@link createDeckFixture} uses. */
interface FixtureTest {
  readonly mock: {
    readonly timers: {
      enable(options: { apis: ('setTimeout' | 'setInterval')[] }): void;
      tick(ms: number): void;
    };
  };
  after(end: () => void): void;
}

/** A window whose decks are linked to the service. */
export interface OpenWindow {
  readonly decks: SilentDecks;
  readonly link: DeckLink;
  readonly statuses: DeckLinkStatus[];
  readonly refusals: string[];
}

/** Opens windows of one browser with one service, and a clock that `pass` advances. */
export function createDeckFixture(t: FixtureTest) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const rules = new DeckRules();
  const hub = new PretendHub(rules);
  const windows = new PretendWindows();
  const links: DeckLink[] = [];
  t.after(() => {
    for (const link of links) link.dispose();
  });
  /** Advances the time and runs pending callbacks. */
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 10) {
      rules.nowMs += 10;
      t.mock.timers.tick(10);
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  const open = async (client: string): Promise<OpenWindow> => {
    // This machine's clock is five minutes behind the service's.
    const ownMs = () => rules.nowMs - 300_000;
    const clock = createServiceClock(ownMs);
    const decks = new SilentDecks(() => clock.now());
    const statuses: DeckLinkStatus[] = [];
    const refusals: string[] = [];
    windows.open(client);
    const link = openDeckLink({
      decks,
      clock,
      ownMs,
      client,
      socket: hub.socket(),
      windows,
      onStatus: (status) => void statuses.push(status),
      onRefused: (reason) => void refusals.push(reason),
    });
    links.push(link);
    await pass(300);
    return { decks, link, statuses, refusals };
  };
  return { rules, hub, pass, open, windows };
}

/** Message that loads the first track on deck A. */
export const loadA: DeckMessage = { event: 'load_track', deck: 'a', track_id: tracks[0] };
