// Tests the public socket client in a real browser, and a page that survives a restart of its service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { quietReply } from '@stem-studio/contract/channel';
import type * as phoenix from 'phoenix';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { visit } from './browser.ts';
import { csrfOf, trackRow, uploadSong } from './library-page.ts';
import { administrator, fillIn, setUp } from './people.ts';
import { startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';

/** The browser build of the public client, which defines a global. */
const publicClient = path.resolve(
  import.meta.dirname,
  '..',
  'node_modules',
  'phoenix',
  'priv',
  'static',
  'phoenix.min.js',
);

interface PhoenixGlobal {
  Phoenix: typeof phoenix;
}

/** Uploads a song outside the page. */
const uploadElsewhere = (page: Page, name: string, pitch: number) =>
  uploadSong(page, name, smallSong(2, pitch));

/** Opens a socket with the public client, joins a topic and returns the reply. */
function join(page: Page, socket: string, params: Record<string, string>, topic: string): Promise<unknown> {
  return page.evaluate(
    ([at, given, subject]) =>
      new Promise((resolve) => {
        const { Socket } = (window as unknown as PhoenixGlobal).Phoenix;
        const opened = new Socket(at, { params: given });
        const answer = (what: unknown) => {
          opened.disconnect();
          resolve(what);
        };
        opened.onError(() => answer('refused'));
        opened.connect();
        opened
          .channel(subject)
          .join()
          .receive('ok', (response: unknown) => answer({ ok: response }))
          .receive('error', (response: unknown) => answer({ error: response }));
      }),
    [socket, params, topic] as const,
  );
}

test('live updates', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' });
  const { page, context, shoot } = await visit(t, studio, { mayLoseService: true });
  await context.addInitScript({
    content: `${readFileSync(publicClient, 'utf8')}; window.Phoenix = Phoenix;`,
  });
  await setUp(page, studio);
  await page.getByRole('button', { name: 'Import demo album' }).waitFor();

  await t.test('the public client joins both sockets, each with its own authentication', async () => {
    const token = await csrfOf(page);
    const joined = z.strictObject({ ok: quietReply }).parse(await join(page, '/socket', {}, 'library:1'));
    assert.ok(joined.ok.quiet_ms <= 60_000);
    const notFound = { error: { reason: 'not_found' } };
    assert.deepEqual(await join(page, '/socket', {}, 'library:2'), notFound);
    assert.deepEqual(await join(page, '/live', { _csrf_token: token }, 'library:1'), notFound);
  });

  await t.test(
    'a page shows a lost connection, reconnects by itself and lists tracks added meanwhile',
    async () => {
      await uploadElsewhere(page, 'Before', 1);
      await trackRow(page, 'Before').waitFor();
      await page.evaluate(() => void Object.assign(window, { mark: 'the same page' }));
      await studio.stop();
      await page.getByText('Connection lost').waitFor();
      await shoot('live-lost');
      await studio.restart();
      await uploadElsewhere(page, 'Meanwhile', 1.1);
      await page.getByText('Connection lost').waitFor({ state: 'hidden' });
      await trackRow(page, 'Meanwhile').waitFor();
      await uploadElsewhere(page, 'After', 1.2);
      await trackRow(page, 'After').getByText('0:02').waitFor();
      await shoot('live-back');
      assert.equal(await page.evaluate(() => (window as unknown as { mark?: string }).mark), 'the same page');
    },
  );

  await t.test(
    'a logout in another tab ends the session of this page, and a new login there restores it',
    async () => {
      const other = await context.newPage();
      await other.goto('/users/settings');
      await other.getByRole('button', { name: 'Log out' }).first().click();
      await page.getByText('You are logged out').waitFor();
      await shoot('live-ended');
      await other.goto('/users/log-in');
      await fillIn(other, administrator);
      await other.getByRole('button', { name: 'Log in' }).click();
      await other.waitForURL((url) => url.pathname === '/');
      await page.getByText('You are logged out').waitFor({ state: 'hidden' });
      await shoot('live-renewed');
      // Changes work again without a reload of the page.
      assert.equal(await page.evaluate(() => (window as unknown as { mark?: string }).mark), 'the same page');
      await trackRow(page, 'After').press('Delete');
      await page.getByText('Deleted “After”').waitFor();
      await trackRow(page, 'After').waitFor({ state: 'hidden' });
    },
  );
});
