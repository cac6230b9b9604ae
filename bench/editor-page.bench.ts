import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createTestSong, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import type { Page } from 'playwright-core';
import { dropFiles, trackRow } from '../e2e/library-page.ts';
import { tapOutputs } from '../e2e/output-analysers.ts';
import type { Bench, BenchRow } from './bench.ts';
import { countFrames, type Frames, lateMs } from './page-frames.ts';
import { openStudioPage } from './studio-page.ts';

const sampleRateHz = 44_100;
const songSeconds = 360;
const openings = 5;
/** Time that is scrolled and zoomed in each of the measurements, in s. */
const watchedSeconds = 10;
/** Level of the master output that counts as audio. */
const audible = 1e-3;

/** Uploads a song of six minutes, separates it into six stems, and opens a project of it. Returns its path. */
async function openProject(page: Page): Promise<string> {
  const encoder = await createFlacEncoder({ sampleRate: sampleRateHz, channels: 2, bitDepth: 16 });
  const bytes = Buffer.from(
    await encodeFile(encoder, createTestSong(songSeconds * sampleRateHz, sampleRateHz)),
  );
  await dropFiles(page, [{ name: 'Six minutes.flac', type: 'audio/flac', bytes }]);
  await trackRow(page, 'Six minutes')
    .getByRole('button', { name: /^Separate/ })
    .waitFor();
  await page.evaluate(async () => {
    const csrf = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content ?? '';
    const tracks = (await (await fetch('/api/tracks')).json()) as { data: { id: string }[] };
    const reply = await fetch('/api/processing/separate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify({ track_id: tracks.data[0]?.id, model: 'hybrid_6' }),
    });
    if (!reply.ok) throw new Error(await reply.text());
  });
  await trackRow(page, 'Six minutes').getByRole('img', { name: 'Stems ready' }).waitFor();
  await trackRow(page, 'Six minutes')
    .getByText(/^Six minutes/)
    .click();
  await page.getByRole('button', { name: 'Open in editor' }).click();
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('group', { name: 'Piano' }).waitFor();
  return page.url();
}

/** Opens the project anew, presses Play as soon as it can be pressed, and returns the ms until there is audio. */
async function firstAudioMs(page: Page, url: string): Promise<{ open: number; audio: number }> {
  await page.goto('about:blank');
  const start = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Play (Space)' }).click();
  const open = performance.now() - start;
  await page.waitForFunction(
    (level) =>
      (globalThis as unknown as { measure: (outlet: string) => { level: number } }).measure('master').level >
      level,
    audible,
    { polling: 'raf' },
  );
  return { open, audio: performance.now() - start };
}

/** Moves the wheel under the pointer and counts the frames that the page draws meanwhile. */
async function framesWhile(page: Page, move: (step: number) => Promise<void>): Promise<Frames> {
  const counted = countFrames(page, watchedSeconds);
  const watched = { isOver: false };
  const over = counted.finally(() => {
    watched.isOver = true;
  });
  for (let step = 0; !watched.isOver; step++) await move(step);
  return over;
}

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const settings = { AUTO_SEPARATE: 'off' };
    const page = await openStudioPage(ends, { settings, beforeScripts: tapOutputs });
    await page.getByRole('button', { name: 'Import demo album' }).waitFor();
    const url = await openProject(page);
    log('a song of six minutes stands in the editor with six stems');
    const times: { open: number; audio: number }[] = [];
    for (let round = 0; round < openings; round++) times.push(await firstAudioMs(page, url));
    log(
      `opened in ${times.map(({ open, audio }) => `${open.toFixed(0)} and ${audio.toFixed(0)}`).join(', ')} ms`,
    );
    const worst = (of: 'open' | 'audio') => Math.max(...times.map((each) => each[of]));
    const rows: BenchRow[] = [
      { what: `from the address to Play, the slowest of ${openings}`, value: worst('open'), unit: 'ms' },
      {
        what: `from the address to the first audio, the slowest of ${openings}`,
        value: worst('audio'),
        unit: 'ms',
        bar: '≤ 2000 ms',
      },
    ];
    const box = await page.locator('[data-editor-field]').boundingBox();
    if (!box) throw new Error('the lanes are not shown');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    // Until all waveforms are there.
    await page.waitForTimeout(10_000);
    const zoom = async (direction: 1 | -1) => {
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -120 * direction);
      await page.keyboard.up('Control');
    };
    const moves: readonly { name: string; zoomed: number; move: (step: number) => Promise<void> }[] = [
      { name: 'zooming', zoomed: 0, move: (step) => zoom(step % 40 < 20 ? 1 : -1) },
      {
        name: 'scrolling over 60 s',
        zoomed: 8,
        move: (step) => page.mouse.wheel(step % 60 < 30 ? 80 : -80, 0),
      },
      {
        name: 'scrolling over 4 s',
        zoomed: 20,
        move: (step) => page.mouse.wheel(step % 60 < 30 ? 80 : -80, 0),
      },
    ];
    for (const { name, zoomed, move } of moves) {
      await page.keyboard.press('0');
      for (let step = 0; step < zoomed; step++) await zoom(1);
      const { frames, late, longestMs } = await framesWhile(page, move);
      rows.push(
        { what: `${name}: frames per second`, value: frames / watchedSeconds, unit: '/s', bar: '60' },
        { what: `${name}: frames within ${lateMs} ms`, value: 100 * (1 - late / frames), unit: '%' },
        { what: `${name}: longest time between two frames`, value: longestMs, unit: 'ms' },
      );
    }
    return rows;
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures how soon the editor of a long song can be used, and how smoothly it is drawn. */
export const bench: Bench = {
  name: 'editor-page',
  about:
    'How soon a song of six minutes and six stems is audible in the editor, and how smoothly it scrolls and zooms.',
  run: ({ log }) => measure(log),
};
