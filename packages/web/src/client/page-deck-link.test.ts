import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeckRules } from './decks/testing/deck-rules.ts';
import { PretendHub } from './decks/testing/pretend-wire.ts';
import { SilentDecks } from './decks/testing/silent-decks.ts';
import { createPageClock, openPageDeckLink } from './page-deck-link.ts';

/** Waits until the service has kept so many acts. */
async function untilVersion({ rules }: PretendHub, version: number): Promise<void> {
  const end = performance.now() + 60_000;
  while (rules.record.version < version) {
    if (performance.now() > end)
      assert.fail(`the service has kept ${rules.record.version} acts and not ${version}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a page joins the decks with its CSRF token, and gives the sound away when it goes', async (t) => {
  const hub = new PretendHub(new DeckRules());
  const page = new EventTarget();
  const globals = {
    window: page,
    document: { querySelector: () => ({ content: 'token of the page' }) },
    location: { protocol: 'https:', host: 'studio.example' },
    WebSocket: hub.transport,
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const clock = createPageClock();
  const decks = new SilentDecks(() => clock.now());
  const joined = new Promise<string>((resolve) => {
    const link = openPageDeckLink({ decks, clock, onStatus: resolve });
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
