import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeCodes } from '@stem-studio/contract/frame';
import { DeckRules } from './decks/testing/deck-rules.ts';
import { PretendHub } from './decks/testing/pretend-wire.ts';
import { SilentDecks } from './decks/testing/silent-decks.ts';
import { createPageClock, openPageDeckLink } from './page-deck-link.ts';
import { renewedLogin } from './renew-csrf-token.ts';

/** Waits until the service has reached a version. */
async function untilVersion({ rules }: PretendHub, version: number): Promise<void> {
  const end = performance.now() + 60_000;
  while (rules.record.version < version) {
    if (performance.now() > end)
      assert.fail(`the service has kept ${rules.record.version} acts and not ${version}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const userId = 7;

/** Opens a page connected to the service `hub`, with a CSRF token that can be changed. */
function openPage(hub: PretendHub): { page: EventTarget; meta: { content: string } } {
  const page = new EventTarget();
  const meta = { content: 'token of the page' };
  const globals = {
    window: page,
    document: { querySelector: () => meta },
    location: { protocol: 'https:', host: 'studio.example' },
    WebSocket: hub.transport,
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return { page, meta };
}

test("joins the decks with the page's CSRF token, and releases the audio when the page closes", async (t) => {
  const hub = new PretendHub(new DeckRules());
  const { page } = openPage(hub);
  const clock = createPageClock();
  const decks = new SilentDecks(() => clock.now());
  const joined = new Promise<string>((resolve) => {
    const link = openPageDeckLink({ decks, clock, userId: () => userId, onStatus: resolve });
    t.after(() => link.dispose());
  });
  assert.equal(await joined, 'joined');
  assert.match(
    hub.addresses[0] ?? '',
    /^wss:\/\/studio\.example\/live\/websocket\?_csrf_token=token(\+|%20)of(\+|%20)the(\+|%20)page&vsn=2\.0\.0$/,
  );
  await untilVersion(hub, 1);
  assert.match(hub.rules.record.state.mixer.sound_client ?? '', /^[0-9a-f]{24}$/);
  page.dispatchEvent(new Event('pagehide'));
  assert.equal(decks.isSounding, false);
  await untilVersion(hub, 2);
  assert.equal(hub.rules.record.state.mixer.sound_client, null);
});

test('starts again with the next login of the same user, under its token, after the login has ended', async (t) => {
  const hub = new PretendHub(new DeckRules());
  const { meta } = openPage(hub);
  const clock = createPageClock();
  const decks = new SilentDecks(() => clock.now());
  let reportStatus: (status: string) => void = () => {};
  const until = (wanted: string) =>
    new Promise<void>((resolve) => {
      reportStatus = (status) => status === wanted && resolve();
    });
  const joined = until('joined');
  const onStatus = (status: string) => reportStatus(status);
  const link = openPageDeckLink({ decks, clock, userId: () => userId, onStatus });
  t.after(() => link.dispose());
  await joined;
  const ended = until('ended');
  hub.cut(closeCodes.loginEnded);
  await ended;
  const { length } = hub.addresses;
  renewedLogin.setState({ userId: userId + 1 });
  assert.equal(hub.addresses.length, length, 'somebody else is logged in now');
  meta.content = 'next';
  const again = until('joined');
  renewedLogin.setState({ userId });
  await again;
  assert.deepEqual(
    hub.addresses.slice(length).map((address) => new URL(address).searchParams.get('_csrf_token')),
    ['next'],
  );
});
