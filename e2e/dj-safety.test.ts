import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { desktop, phone, visit } from './browser.ts';
import { controlBoxes, untilUnmoved } from './control-boxes.ts';
import {
  controlOf,
  deckOf,
  isUncovered,
  letPlay,
  loadRow,
  openRecordings,
  seekDeck,
  sliderOf,
  switchTo,
  untilPressed,
} from './dj-page.ts';
import { chooseInRow, csrfOf, trackRow } from './library-page.ts';
import { openEveryMenu } from './menus.ts';
import { untilLevel } from './output-analysers.ts';
import { administrator, fillIn } from './people.ts';
import { hashSamples, samplesOfWav, watchRecording } from './recorded-chunks.ts';
import { loud, setStage } from './stage.ts';
import { startStudio } from './studio.ts';
import { until, untilEqual } from './until.ts';

/** Seconds of a chunk of recorded audio. */
const secondsOfChunk = 32_768 / 2 / 44_100;

/** Waits until the page has loaded parts of itself by the names of their scripts. */
async function untilLoaded(page: Page, parts: readonly string[]): Promise<void> {
  await until(
    `parts that are not loaded of ${parts.join()}`,
    () =>
      page.evaluate((wanted) => {
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
        return wanted.filter((part) => !loaded.some((name) => name.includes(`/${part}-`)));
      }, parts),
    (missing) => missing.length === 0,
  );
}

/** Plays deck A in a loop, so that it does not reach the end of its song during the test. */
async function playOn(page: Page): Promise<void> {
  await seekDeck(page, 'A', 2);
  await letPlay(page, 'A', true);
  await switchTo(page, 'Toggle loop, deck A', true);
  await untilLevel(page, 'master', loud);
}

/** Reloads the page, dismisses the browser's dialog and returns the type of that dialog. */
async function stay(page: Page): Promise<string> {
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await asked;
  await dialog.dismiss();
  return dialog.type();
}

test('playing decks are protected from accidental actions', async (t) => {
  const studio = await startStudio(t, { AUTO_SEPARATE: 'off' });
  const visitor = await visit(t, studio, { mayLoseService: true });
  const { page, shoot } = visitor;
  await setStage(visitor, studio);
  const control = (name: string) => controlOf(page, name);
  const deckA = deckOf(page, 'A');
  const question = page.getByRole('dialog', { name: 'Deck A is playing' });

  await t.test('the position slider shows the length of the song', async () => {
    await untilEqual(
      'seconds of the song on deck A',
      () => sliderOf(page, 'Position of deck A').getAttribute('aria-valuemax'),
      '40',
    );
  });

  await t.test('deleting a playing track by key or by menu opens a confirmation', async () => {
    await playOn(page);
    await trackRow(page, 'Low').press('Delete');
    await question.getByText('“Low” stops immediately when it is deleted.').waitFor();
    await shoot('dj-delete-question');
    await question.getByRole('button', { name: 'Keep playing' }).click();
    await question.waitFor({ state: 'hidden' });
    await chooseInRow(page, 'Low', /^Delete/);
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await trackRow(page, 'Low').waitFor();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await control('Pause deck A').waitFor();
    await untilLevel(page, 'master', loud);
  });

  await t.test('Undo restores a deleted track on its deck', async () => {
    await trackRow(page, 'Low').press('Delete');
    await question.getByRole('button', { name: 'Delete anyway' }).click();
    // A notification stays on the screen while the pointer is over it.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await deckA.getByRole('heading', { name: 'No track' }).waitFor();
    await untilLevel(page, 'master', 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await playOn(page);
  });

  await t.test('a track on a paused deck is deleted without confirmation', async () => {
    await letPlay(page, 'B', false);
    await trackRow(page, 'High').press('Delete');
    await page.getByRole('button', { name: 'Undo' }).last().hover();
    await deckOf(page, 'B').getByRole('heading', { name: 'No track' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await deckOf(page, 'B').getByRole('heading', { name: 'High' }).waitFor();
  });

  await t.test('leaving the page while it plays or records opens a confirmation', async () => {
    await playOn(page);
    await page.evaluate(() => void Object.assign(globalThis, { mark: 'the same page' }));
    assert.equal(await stay(page), 'beforeunload');
    assert.equal(await page.evaluate(() => (globalThis as { mark?: string }).mark), 'the same page');
    await untilLevel(page, 'master', loud);
    await letPlay(page, 'A', false);
    const before = await controlBoxes(page);
    await control('Record the mix').click();
    await control('Stop recording').waitFor();
    await untilUnmoved(page, before);
    assert.equal(await stay(page), 'beforeunload');
    await control('Stop recording').click();
    const link = await openRecordings(page);
    await untilUnmoved(page, before);
    assert.equal(await stay(page), 'beforeunload', 'the recording is not on the disk yet');
    const download = page.waitForEvent('download');
    await link.click();
    await (await download).path();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    assert.deepEqual(asked, []);
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    assert.equal(await page.evaluate(() => (globalThis as { mark?: string }).mark), undefined);
  });

  await t.test('playback continues after a logout, and the next login works without a reload', async () => {
    await control('Play deck A').waitFor();
    await playOn(page);
    const before = await controlBoxes(page);
    const other = await page.context().newPage();
    await other.goto('/users/settings');
    await other.getByRole('button', { name: 'Log out' }).first().click();
    await page.getByText('You are logged out. Playback continues').waitFor();
    await untilUnmoved(page, before);
    await shoot('dj-login-ended');
    // On a phone neither the decks nor their messages are covered: each message has its own space.
    await page.setViewportSize(phone);
    await control('Deck A').waitFor();
    const line = page.getByText('You are logged out. Playback continues');
    assert.equal(await isUncovered(line), true);
    assert.equal(await isUncovered(sliderOf(page, 'Crossfader')), true);
    assert.equal(await page.getByText('You are logged out').count(), 1);
    await shoot('dj-login-ended-phone');
    await page.setViewportSize(desktop);
    await other.goto('/users/log-in');
    await fillIn(other, administrator);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.waitForURL((url) => url.pathname === '/');
    await page.getByText('You are logged out').waitFor({ state: 'hidden' });
    await other.close();
    await chooseInRow(page, 'High', /^Delete/);
    await page.getByText('Deleted “High”').waitFor();
    await control('Pause deck A').waitFor();
    await untilLevel(page, 'master', loud);
    // The decks belong to the new login: a reload restores them.
    await page.reload();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    await control('Play deck A').waitFor();
    await untilPressed(page, 'Toggle loop, deck A', true);
  });

  await t.test('a stopped service ends neither playback nor menus, and everything recovers', async () => {
    await playOn(page);
    await page.evaluate(() => void Object.assign(globalThis, { mark: 'the same page' }));
    // What a menu needs is loaded ahead.
    await untilLoaded(page, [
      'row-menu',
      'user-menu',
      'columns-menu',
      'dj-key-list',
      'jobs-panel',
      'edit-track-dialog',
    ]);
    await studio.stop();
    await page.getByText('Connection to the studio lost').waitFor();
    await shoot('dj-service-lost');
    await openEveryMenu(page, 'Low', true, async (part) => {
      assert.equal(await page.getByText(/reload/i).count(), 0, part);
      // Not by role: a dialog hides the rest of the page from assistive technology.
      await page.locator('[aria-label="Pause deck A"]').first().waitFor();
    });
    await untilLevel(page, 'master', loud);
    // A track that cannot be read does not replace the one on a deck.
    await loadRow(trackRow(page, 'Low'), 'B');
    await page.getByText('The deck keeps its track').first().waitFor();
    await untilLevel(page, 'master', loud);
    await studio.restart();
    await page.getByText('Connection to the studio lost').waitFor({ state: 'hidden' });
    const accepted = page.waitForResponse(
      (reply) => reply.request().method() === 'POST' && reply.url().includes('/api/') && reply.ok(),
    );
    await chooseInRow(page, 'Low', /^Analyse/);
    await accepted;
    await openEveryMenu(page, 'Low', false, async () => undefined);
    assert.equal(await page.evaluate(() => (globalThis as { mark?: string }).mark), 'the same page');
    await control('Pause deck A').waitFor();
    await untilLevel(page, 'master', loud);
  });

  await t.test('a recording survives the crash of its page, and the decks are free at once', async () => {
    const crashing = await page.context().newPage();
    const chunks = await watchRecording(crashing);
    await crashing.goto('/?tab=dj');
    await crashing.getByRole('button', { name: 'Play audio here' }).click();
    await letPlay(crashing, 'A', true);
    await controlOf(crashing, 'Record the mix').click();
    await until(
      'recorded chunks',
      () => chunks.length,
      (count) => count * secondsOfChunk > 9,
    );
    const crashed = new Promise((resolve) => crashing.once('crash', resolve));
    const cdp = await crashing.context().newCDPSession(crashing);
    void cdp.send('Page.crash').catch(() => undefined);
    await crashed;
    const crashedMs = performance.now();
    await page.getByRole('button', { name: 'Play audio here' }).waitFor({ state: 'hidden' });
    t.diagnostic(`the other window had the decks after ${(performance.now() - crashedMs).toFixed(0)} ms`);
    await control('Record the mix').waitFor();
    await crashing.close();
    await page.reload();
    const offered = page.getByRole('dialog', { name: 'Recordings of earlier visits' });
    await offered.getByText('A recording was interrupted').waitFor();
    await offered.getByText('1 song').click();
    await offered.getByText('Low').waitFor();
    await until(
      'length of the recording in its player',
      () => offered.locator('audio').evaluate((element) => (element as HTMLAudioElement).duration),
      (seconds) => seconds > 8,
    );
    await shoot('dj-recovered');
    await page.setViewportSize(phone);
    await shoot('dj-recovered-phone');
    await page.setViewportSize(desktop);
    const download = page.waitForEvent('download');
    await offered.getByRole('link', { name: 'Save WAV' }).click();
    const samples = samplesOfWav(await readFile(await (await download).path()));
    let at = 0;
    for (const [index, { samples: count, hash }] of chunks.entries()) {
      if (at + count > samples.length) break;
      assert.equal(hashSamples(samples.subarray(at, at + count)), hash, `chunk ${index}`);
      at += count;
    }
    const recorded = chunks.reduce((sum, chunk) => sum + chunk.samples, 0);
    const lostSeconds = (recorded - samples.length) / 2 / 44_100;
    t.diagnostic(
      `${(samples.length / 88_200).toFixed(2)} s were stored, ${lostSeconds.toFixed(2)} s were lost`,
    );
    // The chunk that the audio thread was filling is lost too.
    assert.ok(lostSeconds < 2 - secondsOfChunk, `${lostSeconds} s`);
    await offered.getByRole('button', { name: /^Discard/ }).click();
    await offered.waitFor({ state: 'hidden' });
    await page.reload();
    await deckA.getByRole('heading', { name: 'Low' }).waitFor();
    assert.equal(await offered.count(), 0);
  });

  await t.test('outside the DJ tab a strip shows what the decks play, with pause', async () => {
    await playOn(page);
    await page.getByRole('link', { name: 'Library', exact: true }).click();
    const strip = page.getByRole('region', { name: 'Playing decks' });
    await strip.getByText('Low').waitFor();
    await shoot('dj-strip');
    await strip.getByRole('button', { name: 'Pause deck A' }).click();
    await strip.waitFor({ state: 'hidden' });
    await untilLevel(page, 'master', 0);
  });

  await t.test(
    'the page opens from its copy while the service is down, and never instead of it',
    async () => {
      const other = await visit(t, studio, { hasServiceWorker: true, mayLoseService: true });
      await other.page.goto('/users/log-in');
      await fillIn(other.page, administrator);
      await other.page.getByRole('button', { name: 'Log in' }).click();
      await trackRow(other.page, 'Low').waitFor();
      await other.page.evaluate(async () => void (await navigator.serviceWorker.ready));
      const copied = await other.page.evaluate(async () => {
        const names = await caches.keys();
        const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return lists.flat().map(({ url }) => new URL(url).pathname);
      });
      assert.ok(copied.includes('/offline.html') && copied.length > 20, copied.join());
      assert.deepEqual(
        copied.filter(
          (path) => !/^\/(assets\/[^/]+|offline\.html|favicon\.svg|page-failure\.js)$/.test(path),
        ),
        [],
        'nothing of a user',
      );
      await studio.stop();
      await other.page.reload();
      await other.page.getByText('opened from the copy in this browser').waitFor();
      assert.equal(await other.page.evaluate(() => crossOriginIsolated), true);
      await other.shoot('page-from-copy');
      await studio.restart();
      await trackRow(other.page, 'Low').waitFor();
      assert.notEqual(
        await csrfOf(other.page),
        '',
        'the page of the service has taken the place of the copy',
      );
      // A copy of an older version is not opened while the service answers.
      await other.page.evaluate(async () => {
        for (const name of await caches.keys()) {
          const html = { headers: { 'content-type': 'text/html' } };
          await (await caches.open(name)).put('/offline.html', new Response('an older page', html));
        }
      });
      await other.page.reload();
      await trackRow(other.page, 'Low').waitFor();
      assert.equal(await other.page.getByText('an older page').count(), 0);
    },
  );
});
