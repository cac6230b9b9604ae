import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportAnalysis } from '@stem-studio/contract/endpoints/exports';
import type { Page } from 'playwright-core';
import { phone } from './browser.ts';
import { trackRow } from './library-page.ts';
import { placeInSong } from './player-page.ts';
import { openSmallSong } from './small-song-page.ts';

const songSeconds = 12;
const analysisLimitMs = 120_000;
const pictures = [
  'Waveform',
  'Vocals',
  'Chords',
  'Keys',
  'Tempo',
  'Energy',
  'Chroma',
  'MFCC',
  'Spectral contrast',
];

/** The line of words beside a picture's title. */
const readout = (page: Page, picture: string) =>
  page
    .locator('figure')
    .filter({ has: page.getByRole('heading', { name: picture, exact: true }) })
    .locator('[data-readout]');

/** How many different colours a picture is drawn in. */
const coloursOf = (page: Page, picture: string) =>
  page
    .getByRole('slider', { name: picture, exact: true })
    .locator('canvas')
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0;
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      };
      const seen = new Set<number>();
      for (let i = 0; i + 3 < data.length; i += 4)
        seen.add(((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0));
      return seen.size;
    });

test('the track page', async (t) => {
  const { page, context, shoot } = await openSmallSong(t, songSeconds, { AUTO_SEPARATE: 'off' });
  const analysis = page.getByRole('region', { name: 'Analysis' });

  await t.test('shows what the analysis found as pictures, below the player', async () => {
    await analysis.waitFor({ timeout: analysisLimitMs });
    await page.getByRole('button', { name: 'Give the track the whole page' }).click();
    for (const picture of pictures) {
      await page.getByRole('slider', { name: picture, exact: true }).scrollIntoViewIfNeeded();
      assert.ok((await coloursOf(page, picture)) > 2, `${picture} is drawn`);
    }
    await page.getByRole('slider', { name: 'Key', exact: true }).waitFor();
    assert.match(await analysis.getByText(/LUFS$/).innerText(), /^-?\d+\.\d LUFS$/);
    await shoot('track-page');
  });

  await t.test('tells the numbers under the pointer in all pictures at once', async () => {
    const tempo = page.getByRole('slider', { name: 'Tempo', exact: true });
    assert.match(await readout(page, 'Tempo').innerText(), /bpm/);
    const width = (await tempo.boundingBox())?.width ?? 0;
    await tempo.hover({ position: { x: width / 2, y: 20 } });
    assert.match(await readout(page, 'Tempo').innerText(), /^0:06 · [\d.]+ bpm$/);
    assert.match(await readout(page, 'Chroma').innerText(), /^0:06 · [A-G]#? \d\.\d\d$/);
    const spectrum = page.getByRole('slider', { name: 'Spectral contrast', exact: true });
    await spectrum.hover({ position: { x: width / 2, y: 2 } });
    assert.match(
      await readout(page, 'Spectral contrast').innerText(),
      /^0:06 · 6\.4k–11k Hz \d+\.\d dB · centroid [\d,]+, rolloff [\d,]+ Hz$/,
    );
    await shoot('track-page-read');
  });

  await t.test('tells the key under the pointer, and how much its pitch sounds on the whole', async () => {
    const [id = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
    const reply = await page.request.get(`/export/analysis/${id}`);
    const { analysis: found } = exportAnalysis.reply.parse(await reply.json());
    const sums = (found.features?.chroma ?? []).map((row) => row.reduce((sum, value) => sum + value, 0));
    const percentOf = (pitch: number) => Math.round((100 * (sums[pitch] ?? 0)) / Math.max(...sums));
    const circle = page.getByRole('slider', { name: 'Key', exact: true });
    const width = (await circle.boundingBox())?.width ?? 0;
    const middle = width / 2;
    // C is at the top; A minor stands inside of it, and D is two twelfths of a turn on.
    await circle.hover({ position: { x: middle, y: 0.1 * middle } });
    assert.equal(await readout(page, 'Key').innerText(), `C major · 8B · C sounds ${percentOf(0)} %`);
    await circle.hover({ position: { x: middle, y: 0.31 * middle } });
    assert.equal(await readout(page, 'Key').innerText(), `A minor · 8A · A sounds ${percentOf(9)} %`);
    const [x, y] = [middle * (1 + 0.4 * Math.sin(Math.PI / 3)), middle * (1 - 0.4 * Math.cos(Math.PI / 3))];
    await circle.hover({ position: { x, y } });
    assert.equal(await readout(page, 'Key').innerText(), `D major · 10B · D sounds ${percentOf(2)} %`);
  });

  await t.test('plays from where it is clicked', async () => {
    const tempo = page.getByRole('slider', { name: 'Tempo', exact: true });
    const width = (await tempo.boundingBox())?.width ?? 0;
    await tempo.click({ position: { x: width * 0.75, y: 20 } });
    await page.waitForFunction(
      () => document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuenow') === '9',
    );
    assert.equal(await placeInSong(page), songSeconds * 0.75);
  });

  await t.test('is read by keyboard, and Enter plays from there', async () => {
    const chroma = page.getByRole('slider', { name: 'Chroma', exact: true });
    // Where the page scrolls below a resting pointer, that reads too.
    await page.mouse.move(0, 0);
    await chroma.focus();
    await page.keyboard.press('Home');
    for (const _press of [1, 2, 3]) await page.keyboard.press('ArrowRight');
    assert.match((await chroma.getAttribute('aria-valuetext')) ?? '', /^0:03 · [A-G]/);
    assert.equal(await placeInSong(page), 9, 'reading does not move the song');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      () => document.querySelector('[aria-label="Place in the song"]')?.getAttribute('aria-valuenow') === '3',
    );
    const parts = await page
      .locator('[data-playhead]')
      .evaluateAll((lines) =>
        lines.map((line) => new DOMMatrix(getComputedStyle(line).transform).m41 / line.clientWidth),
      );
    assert.equal(parts.length, pictures.length);
    for (const part of parts)
      assert.ok(Math.abs(part - 0.25) < 0.01, `the line stands at a quarter of the song (${part})`);
  });

  await t.test('has every picture as a table', async () => {
    for (const picture of [...pictures, 'Key']) {
      await page.getByRole('button', { name: `${picture} as a table` }).click();
      const table = page.getByRole('table', { name: picture, exact: true });
      assert.ok((await table.getByRole('row').count()) > 1, picture);
      await page.getByRole('button', { name: `${picture} as a table` }).click();
    }
  });

  await t.test('has an address of its own, and back leads to the library', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Make the track small' }).click();
    await trackRow(page, 'Small song').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Make the track small' }).waitFor();
  });

  await t.test('fits a phone', async () => {
    await page.setViewportSize(phone);
    await page.getByRole('slider', { name: 'Spectral contrast', exact: true }).scrollIntoViewIfNeeded();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
    await shoot('phone-track-page');
  });

  await t.test(
    'says that the studio was updated when a part of the page is gone, and offers to reload',
    async () => {
      // A window of its own: what is refused here is a complaint in the other.
      const other = await context.newPage();
      await other.route('**/assets/track-panel*.js', (route) => route.fulfill({ status: 404, body: '' }));
      await other.goto('/');
      await trackRow(other, 'Small song')
        .getByText(/^Small song/)
        .click();
      const alert = other.getByRole('alert').filter({ hasText: 'The studio was updated' });
      await alert.getByRole('button', { name: 'Reload' }).waitFor();
      await trackRow(other, 'Small song').waitFor();
      await other.unroute('**/assets/track-panel*.js');
      await alert.getByRole('button', { name: 'Reload' }).click();
      await other.getByRole('region', { name: /^Player: Small song/ }).waitFor();
      await other.route('**/assets/index*.js', (route) => route.fulfill({ status: 404, body: '' }));
      await other.reload();
      await other.getByRole('heading', { name: 'The studio was updated' }).waitFor();
      await other.close();
    },
  );
});
