import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportAnalysis } from '@stem-studio/contract/endpoints/exports';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from './accessibility.ts';
import { desktop, phone } from './browser.ts';
import { trackRow } from './library-page.ts';
import { openTrackTab, songPosition, untilSongPosition } from './player-page.ts';
import { openSmallSong } from './small-song-page.ts';
import { until, untilEqual, untilFits, untilMatch } from './until.ts';

const songSeconds = 12;
const analysisLimitMs = 120_000;
const charts = [
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

/** Returns the readout beside a chart's title. */
const readout = (page: Page, chart: string) =>
  page
    .locator('figure')
    .filter({ has: page.getByRole('heading', { name: chart, exact: true }) })
    .locator('[data-readout]');

const untilRead = (page: Page, chart: string, text: RegExp) =>
  untilMatch(`${chart} where it is read`, () => readout(page, chart).innerText(), text);

async function widthOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  assert.ok(box, 'it is not on the page');
  return box.width;
}

/** Counts the distinct colours drawn in a chart. */
const coloursOf = (page: Page, chart: string) =>
  page
    .getByRole('slider', { name: chart, exact: true })
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

test('track page', async (t) => {
  const { page, context, browser, shoot } = await openSmallSong(t, songSeconds, { AUTO_SEPARATE: 'off' });
  const analysis = page.getByRole('region', { name: 'Analysis' });

  const moreFigures = () => page.getByRole('button', { name: 'More figures' }).click();

  await t.test('shows the analysis as charts in its tab, the expert figures on demand', async () => {
    await openTrackTab(page, 'Analysis');
    await analysis.waitFor({ timeout: analysisLimitMs });
    await page.getByRole('button', { name: 'Expand player' }).click();
    await page.getByRole('slider', { name: 'Energy', exact: true }).waitFor();
    assert.equal(await page.getByRole('slider', { name: 'MFCC', exact: true }).count(), 0);
    await moreFigures();
    for (const chart of charts) {
      await page.getByRole('slider', { name: chart, exact: true }).scrollIntoViewIfNeeded();
      await until(
        `colours of ${chart}`,
        () => coloursOf(page, chart),
        (count) => count > 2,
      );
    }
    await page.getByRole('slider', { name: 'Key', exact: true }).waitFor();
    await untilMatch('loudness', () => analysis.getByText(/LUFS$/).innerText(), /^-?\d+\.\d LUFS$/);
    await shoot('track-page');
  });

  await t.test('shows the values under the pointer in all charts at once', async () => {
    const tempo = page.getByRole('slider', { name: 'Tempo', exact: true });
    await untilRead(page, 'Tempo', /BPM/);
    const width = await widthOf(tempo);
    await tempo.hover({ position: { x: width / 2, y: 20 } });
    await untilRead(page, 'Tempo', /^0:06 · [\d.]+ BPM$/);
    await untilRead(page, 'Chroma', /^0:06 · [A-G]#? \d\.\d\d$/);
    const spectrum = page.getByRole('slider', { name: 'Spectral contrast', exact: true });
    await spectrum.hover({ position: { x: width / 2, y: 2 } });
    await untilRead(
      page,
      'Spectral contrast',
      /^0:06 · 6\.4k–11k Hz \d+\.\d dB · centroid [\d,]+, rolloff [\d,]+ Hz$/,
    );
    await shoot('track-page-read');
  });

  await t.test('shows the key under the pointer and how strong its pitch class is overall', async () => {
    const [id = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? [];
    const reply = await page.request.get(`/export/analysis/${id}`);
    const { analysis: found } = exportAnalysis.reply.parse(await reply.json());
    const sums = (found.features?.chroma ?? []).map((row) => row.reduce((sum, value) => sum + value, 0));
    const percentOf = (pitch: number) => Math.round((100 * (sums[pitch] ?? 0)) / Math.max(...sums));
    const circle = page.getByRole('slider', { name: 'Key', exact: true });
    const keyRead = () => readout(page, 'Key').innerText();
    const middle = (await widthOf(circle)) / 2;
    // C is at the top, A minor inside of it, and D two twelfths of a turn further.
    await circle.hover({ position: { x: middle, y: 0.1 * middle } });
    await untilEqual('key read', keyRead, `C major · 8B · C strength ${percentOf(0)} %`);
    await circle.hover({ position: { x: middle, y: 0.31 * middle } });
    await untilEqual('key read', keyRead, `A minor · 8A · A strength ${percentOf(9)} %`);
    const [x, y] = [middle * (1 + 0.4 * Math.sin(Math.PI / 3)), middle * (1 - 0.4 * Math.cos(Math.PI / 3))];
    await circle.hover({ position: { x, y } });
    await untilEqual('key read', keyRead, `D major · 10B · D strength ${percentOf(2)} %`);
  });

  await t.test('a click on a chart seeks', async () => {
    const tempo = page.getByRole('slider', { name: 'Tempo', exact: true });
    await tempo.click({ position: { x: (await widthOf(tempo)) * 0.75, y: 20 } });
    await untilSongPosition(page, songSeconds * 0.75);
  });

  await t.test('charts can be read by keyboard, and Enter seeks', async () => {
    const chroma = page.getByRole('slider', { name: 'Chroma', exact: true });
    // If the page scrolls below a resting pointer, the pointer would also change the readout.
    await page.mouse.move(0, 0);
    await chroma.focus();
    await page.keyboard.press('Home');
    for (const _press of [1, 2, 3]) await page.keyboard.press('ArrowRight');
    await untilMatch('what is read aloud', () => chroma.getAttribute('aria-valuetext'), /^0:03 · [A-G]/);
    assert.equal(await songPosition(page), 9, 'reading does not move the song');
    await page.keyboard.press('Enter');
    await untilSongPosition(page, 3);
    await until(
      'where the line stands in each chart, a quarter of its width from the left',
      () =>
        page
          .locator('[data-playhead]')
          .evaluateAll((lines) =>
            lines.map((line) => new DOMMatrix(getComputedStyle(line).transform).m41 / line.clientWidth),
          ),
      (parts) => parts.length === charts.length && parts.every((part) => Math.abs(part - 0.25) < 0.01),
    );
  });

  await t.test('shows every chart as a table', async () => {
    for (const chart of [...charts, 'Key']) {
      await page.getByRole('button', { name: `${chart} as a table` }).click();
      const table = page.getByRole('table', { name: chart, exact: true });
      await table.getByRole('row').nth(1).waitFor();
      await page.getByRole('button', { name: `${chart} as a table` }).click();
    }
  });

  await t.test('tabs are chosen by keyboard and are in the address', async () => {
    await page.getByRole('tab', { name: 'Analysis' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tabpanel', { name: 'Notes' }).waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('tabpanel', { name: 'Mix' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('panel'), null);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Grid & cues' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('panel'), 'grid');
    const cues = page.getByRole('region', { name: 'Cue points' }).getByRole('listitem');
    await cues.first().waitFor({ timeout: analysisLimitMs });
    assert.equal(await songPosition(page), 3, 'an arrow on a tab does not move the song');
  });

  await t.test('Space plays, whatever was clicked last', async () => {
    await openTrackTab(page, 'Mix');
    const clicked = [
      page.getByRole('button', { name: 'Mute Whole song' }),
      page.getByRole('button', { name: 'Mute Whole song' }),
      page.getByRole('button', { name: 'Metronome', exact: true }),
      page.getByRole('button', { name: 'Metronome', exact: true }),
      page.getByRole('tab', { name: 'Notes' }),
      page.getByRole('tab', { name: 'Mix' }),
      page.getByRole('button', { name: 'Zoom in' }),
    ];
    for (const [index, button] of clicked.entries()) {
      await button.click();
      const before = await button.getAttribute('aria-pressed');
      // An arrow that seeks after the click does not give Space back to the button.
      if (index === 0) await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Pause (Space)' }).waitFor();
      assert.equal(await button.getAttribute('aria-pressed'), before);
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Play (Space)' }).waitFor();
    }
    await page.getByRole('button', { name: 'Fit song' }).click();
  });

  await t.test('the time is shown in bars and beats after a press', async () => {
    await page.keyboard.press('Home');
    const time = page.getByRole('button', { name: / \/ 0:12$/ });
    await untilEqual('time', () => time.innerText(), '0:00 / 0:12');
    await time.click();
    const bars = page.getByRole('button', { name: / bars$/ });
    await untilMatch('time in bars', () => bars.innerText(), /^\d+\.\d \/ \d+ bars$/);
    await bars.click();
    await time.waitFor();
  });

  await t.test('the lanes zoom by key and follow the playhead', async () => {
    const field = page.locator('[data-lanes-field]');
    const playheadPart = () =>
      field.evaluate((element) => {
        const line = element.lastElementChild;
        return line ? new DOMMatrix(getComputedStyle(line).transform).m41 / element.clientWidth : Number.NaN;
      });
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Fit song', disabled: false }).waitFor();
    const position = page.getByRole('slider', { name: 'Song position' });
    const width = await widthOf(position);
    await position.click({ position: { x: width * 0.75, y: 8 } });
    await untilSongPosition(page, 9);
    await until('playhead in the window after a jump', playheadPart, (part) => part >= 0 && part <= 1);
    await field.click({ position: { x: (await widthOf(field)) * 0.02, y: 20 } });
    await until(
      'position after a click in the zoomed lanes',
      () => songPosition(page),
      (at) => at >= 5,
    );
    await page.keyboard.press('0');
    await page.getByRole('button', { name: 'Fit song', disabled: true }).waitFor();
    // The position may still be that before the click.
    await until(
      'distance of the playhead from its position over the whole song',
      async () => (await playheadPart()) - (await songPosition(page)) / songSeconds,
      (distance) => Math.abs(distance) < 0.09,
    );
  });

  await t.test('a loop is saved with the track, played again after a reload, and deleted', async () => {
    await page.keyboard.press('Home');
    await page.keyboard.press('l');
    const bounds = page.getByRole('group', { name: 'Loop' }).getByRole('button', { name: / – / });
    const shown = await bounds.innerText();
    const saved = page.getByRole('button', { name: /^Saved loops: / });
    await saved.click();
    await page.getByRole('menuitem', { name: 'Save loop' }).click();
    await page.getByRole('button', { name: 'Saved loops: 1' }).waitFor();
    await page.getByRole('button', { name: 'Clear loop' }).click();
    await page.reload();
    await saved.click();
    await shoot('saved-loops');
    await page.getByRole('menuitem', { name: new RegExp(`${shown}$`) }).click();
    await untilEqual('bounds of the loop', () => bounds.innerText(), shown);
    await saved.click();
    await page.getByRole('menuitem', { name: 'Delete loop' }).click();
    await page.getByRole('menu', { name: 'Delete loop' }).getByRole('menuitem').click();
    await page.getByRole('button', { name: 'Saved loops: 0' }).waitFor();
    await page.getByRole('button', { name: 'Clear loop' }).click();
  });

  await t.test('the mix of a track is kept over a reload, and reset by one button', async () => {
    const mute = page.getByRole('button', { name: /^Mute / }).first();
    const reset = page.getByRole('button', { name: 'Reset mix' });
    const isMuted = () => mute.getAttribute('aria-pressed');
    await mute.click();
    await page
      .getByRole('slider', { name: /^Pan of / })
      .first()
      .press('End');
    await page.reload();
    await untilEqual('mute after a reload', isMuted, 'true');
    await shoot('kept-mix');
    await reset.click();
    await untilEqual('mute after a reset', isMuted, 'false');
    await page.getByRole('button', { name: 'Undo' }).click();
    await untilEqual('mute after Undo', isMuted, 'true');
    await reset.click();
    await reset.waitFor({ state: 'detached' });
  });

  await t.test('fits every screen, without a violation of accessibility on any tab', async () => {
    for (const size of [phone, { width: 1024, height: 768 }, { width: 1280, height: 720 }, desktop]) {
      await page.setViewportSize(size);
      for (const name of ['Mix', 'Grid & cues', 'Notes', 'Analysis'] as const) {
        await openTrackTab(page, name);
        await untilFits(page);
        const where = `${name} at ${size.width}`;
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollHeight - innerHeight),
          0,
          `${where}: only the tab scrolls`,
        );
        if (size === phone || size === desktop) await assertAccessible(page, where);
      }
      await shoot(`track-page-${size.width}`);
    }
  });

  await t.test('keeps its address over a reload, and browser back returns to it', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Collapse player' }).click();
    await trackRow(page, 'Small song').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Collapse player' }).waitFor();
  });

  await t.test('fits a phone screen', async () => {
    await page.setViewportSize(phone);
    await moreFigures();
    await page.getByRole('slider', { name: 'Spectral contrast', exact: true }).scrollIntoViewIfNeeded();
    await untilFits(page);
    // The chart has no space for the names of the chords, so they are listed below it; a press seeks.
    const chord = page.getByRole('list', { name: 'Chord sheet' }).getByRole('listitem').nth(1);
    await chord.getByRole('button', { name: / at \d:\d\d$/ }).click();
    await untilEqual('mark of the current chord', () => chord.getAttribute('data-current'), 'true');
    await shoot('phone-track-page');
  });

  await t.test(
    'offers a reload after an update of the studio when a part of the page is missing',
    async () => {
      // A separate window with the same login, because the failed requests would fail the test in the observed one.
      const login = await context.storageState();
      const own = await browser.newContext({ baseURL: new URL(page.url()).origin, storageState: login });
      own.setDefaultTimeout(60_000);
      const other = await own.newPage();
      await other.route('**/assets/track-page*.js', (route) => route.fulfill({ status: 404, body: '' }));
      await other.goto('/');
      await trackRow(other, 'Small song')
        .getByText(/^Small song/)
        .click();
      const alert = other.getByRole('alert').filter({ hasText: 'The studio was updated' });
      await alert.getByRole('button', { name: 'Reload' }).waitFor();
      await trackRow(other, 'Small song').waitFor();
      await other.unroute('**/assets/track-page*.js');
      await alert.getByRole('button', { name: 'Reload' }).click();
      await other.getByRole('region', { name: /^Player: Small song/ }).waitFor();
      await other.route('**/assets/start*.js', (route) => route.fulfill({ status: 404, body: '' }));
      await other.reload();
      await other.getByRole('heading', { name: 'The studio was updated' }).waitFor();
      await own.close();
    },
  );
});
