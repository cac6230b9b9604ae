import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { phone } from './browser.ts';
import { trackRow } from './library-page.ts';
import { setTempo } from './player-page.ts';
import { openSmallSong } from './small-song-page.ts';
import { until } from './until.ts';

/** Time limit for a separation, in ms; only a hanging one reaches it. */
const separationLimitMs = 300_000;
const songSeconds = 12;

/** Opens the menu of the song's row and presses an item. */
async function pressInRowMenu(page: Page, label: string): Promise<void> {
  await trackRow(page, 'Small song')
    .getByRole('button', { name: /Actions/ })
    .click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
}

/** Returns name, length in seconds and peak of the next downloaded file. */
async function savedBy(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: separationLimitMs }),
    press(),
  ]);
  const { samples, info } = await decodeFile(readFileSync(await download.path()));
  const [left = new Float32Array(0)] = samples;
  return {
    name: download.suggestedFilename(),
    seconds: left.length / info.sample_rate,
    peak: left.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  };
}

test('karaoke is one press: a track is separated first where needed, and the file follows', async (t) => {
  const { page, shoot } = await openSmallSong(t, songSeconds, { AUTO_ANALYZE: 'off', AUTO_SEPARATE: 'off' });
  const requested = page.getByRole('region', { name: 'Requested files' });
  const row = trackRow(page, 'Small song');
  await row.getByRole('button', { name: /Actions/ }).waitFor();
  await page.getByRole('button', { name: 'Separate', exact: true }).waitFor();

  await t.test('a request can be cancelled with its separation', async () => {
    await pressInRowMenu(page, 'Karaoke (no vocals), MP3');
    await requested.getByText('“Small song”: Karaoke (no vocals), MP3').waitFor();
    await shoot('karaoke-request');
    await assertAccessible(page, 'a requested file');
    await requested.getByRole('button', { name: 'Cancel stems of Small song' }).click();
    await requested.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Separate', exact: true }).waitFor();
  });

  await t.test('the press requests the separation, shows its progress, and the file follows', async () => {
    const saved = await savedBy(page, async () => {
      await pressInRowMenu(page, 'Karaoke (no vocals), MP3');
      await requested.getByRole('progressbar').waitFor();
      await page.setViewportSize(phone);
      await shoot('karaoke-request-phone');
      await page.setViewportSize({ width: 1440, height: 900 });
    });
    assert.equal(saved.name, 'Small song (no vocals).mp3');
    assert.ok(Math.abs(saved.seconds - songSeconds) < 0.1, `${saved.seconds} s`);
    assert.ok(saved.peak > 0.01, `peak ${saved.peak}`);
    await requested.waitFor({ state: 'hidden' });
  });

  await t.test('tempo and key of the track page apply, in its menu and in that of the row', async () => {
    await page.getByRole('group', { name: 'Vocals' }).waitFor();
    await setTempo(page, '80');
    await page.getByRole('button', { name: '80 %, reset tempo' }).waitFor();
    await page.getByRole('button', { name: 'Key up' }).click({ clickCount: 2 });
    await page.getByRole('button', { name: '+2, reset key' }).waitFor();
    const label = 'A cappella (only vocals), WAV, tempo 80 %, key +2';
    const fromPage = await savedBy(page, async () => {
      await page.getByRole('button', { name: 'Download stems or analysis' }).click();
      const item = page.getByRole('menuitem', { name: label, exact: true });
      await item.waitFor();
      await shoot('karaoke-menu');
      await item.click();
    });
    const fromRow = await savedBy(page, () => pressInRowMenu(page, label));
    for (const saved of [fromPage, fromRow]) {
      assert.equal(saved.name, 'Small song (only vocals, tempo 80, key +2).wav');
      assert.ok(Math.abs(saved.seconds - songSeconds / 0.8) < 0.01, `${saved.seconds} s`);
    }
    assert.equal(fromRow.peak, fromPage.peak);
  });

  await t.test('tempo and key apply to the song without one stem, in the menu of that stem', async () => {
    const saved = await savedBy(page, async () => {
      await page.getByRole('button', { name: 'Download Drums', exact: true }).click();
      const label = 'Without Drums, WAV, tempo 80 %, key +2';
      await page.getByRole('menuitem', { name: label, exact: true }).click();
    });
    assert.equal(saved.name, 'Small song (no drums, tempo 80, key +2).wav');
    assert.ok(Math.abs(saved.seconds - songSeconds / 0.8) < 0.01, `${saved.seconds} s`);
  });

  await t.test('the menus fit a phone screen', async () => {
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Download stems or analysis' }).click();
    const last = page.getByRole('menuitem', { name: 'Drumless (no drums), MP3, tempo 80 %, key +2' });
    await until(
      'box of the last choice',
      () => last.boundingBox(),
      (box) =>
        box !== null && box.x >= 0 && box.x + box.width <= phone.width && box.y + box.height <= phone.height,
    );
    await shoot('karaoke-menu-phone');
  });
});
