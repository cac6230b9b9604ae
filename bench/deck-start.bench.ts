import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createTestSong, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import type { Page } from 'playwright-core';
import { deckOf, seekDeck, tapMix } from '../e2e/dj-page.ts';
import { dropFiles, trackRow } from '../e2e/library-page.ts';
import type { Bench, BenchRow } from './bench.ts';
import { openStudioPage } from './studio-page.ts';

const sampleRateHz = 48_000;
const songSeconds = 240;
/** Songs per codec, each with a different length, so that no cached result applies. */
const songsEach = 3;
const renderQuantum = 128;

const makers: Record<string, { type: string; make: () => Promise<AudioEncoder> }> = {
  mp3: {
    type: 'audio/mpeg',
    make: () => createMp3Encoder({ sampleRate: sampleRateHz, channels: 2, bitrateKbps: 320 }),
  },
  flac: {
    type: 'audio/flac',
    make: () => createFlacEncoder({ sampleRate: sampleRateHz, channels: 2, bitDepth: 16 }),
  },
};

/**
 * Measures the time until a deck is ready after the load key, and until audio starts after Play. Audio starts with the
 * first sample that is not silent.
 */
export const bench: Bench = {
  name: 'deck-start',
  about:
    'How soon a song of the library stands ready on a deck after the key that loads it, and how soon it sounds after Play.',
  run: async ({ log }): Promise<BenchRow[]> => {
    const ends = new AsyncDisposableStack();
    try {
      const settings = { AUTO_SEPARATE: 'off', AUTO_ANALYZE: 'off' };
      const page = await openStudioPage(ends, { settings, beforeScripts: tapMix });
      await page.getByRole('button', { name: 'Import demo album' }).waitFor();
      const titles = new Map<string, string[]>();
      for (const codec of Object.keys(makers)) titles.set(codec, await putInLibrary(page, codec));
      await page.goto('/?tab=dj');
      const rows: BenchRow[] = [];
      for (const [codec, songs] of titles) rows.push(...(await startsOf(page, codec, songs, log)));
      return rows;
    } finally {
      await ends.disposeAsync();
    }
  },
};

/** Creates songs in a codec, drops them on the page, and returns their titles. */
async function putInLibrary(page: Page, codec: string): Promise<string[]> {
  const maker = makers[codec];
  if (!maker) throw new Error(`no maker of ${codec}`);
  const titles: string[] = [];
  for (let song = 0; song < songsEach; song++) {
    const title = `${codec} ${song}`;
    const samples = createTestSong((songSeconds + song) * sampleRateHz, sampleRateHz);
    const bytes = Buffer.from(await encodeFile(await maker.make(), samples));
    await dropFiles(page, [{ name: `${title}.${codec}`, type: maker.type, bytes }]);
    await trackRow(page, title)
      .getByRole('button', { name: /^Separate/ })
      .waitFor();
    titles.push(title);
  }
  return titles;
}

async function startsOf(
  page: Page,
  codec: string,
  titles: readonly string[],
  log: (line: string) => void,
): Promise<BenchRow[]> {
  const ready: number[] = [];
  const quanta: number[] = [];
  let latencyMs = 0;
  for (const title of titles) {
    ready.push(await loadMs(page, title));
    // Not at the beginning, which is silent.
    await seekDeck(page, 'A', 30);
    await page.waitForTimeout(500);
    const played = await playToFirstSample(page);
    quanta.push(played.quanta);
    latencyMs = played.latencyMs;
    log(
      `${title}: ready after ${ready.at(-1)?.toFixed(0)} ms, sound after ${played.quanta.toFixed(1)} quanta`,
    );
    await page.getByRole('button', { name: 'Pause deck A', exact: true }).click();
    await page.waitForTimeout(500);
  }
  const whose = `${codec.toUpperCase()} of four minutes`;
  return [
    {
      what: `${whose}: from the key to ready, the slowest of ${songsEach}`,
      value: Math.max(...ready),
      unit: 'ms',
      bar: '≤ 1000 ms',
    },
    {
      what: `${whose}: from Play to the first sample`,
      value: Math.max(...quanta),
      unit: 'render quanta',
      bar: '≤ 2, and the output latency',
    },
    { what: 'output latency of the browser', value: latencyMs, unit: 'ms' },
  ];
}

/** Returns the time in ms from the load key until a row's song is ready on deck A. */
async function loadMs(page: Page, title: string): Promise<number> {
  const measured = deckOf(page, 'A').evaluate(async (deck, wanted) => {
    const status = () => deck.querySelector('[role="status"]')?.textContent ?? '';
    const titleShown = () => deck.querySelector('h2')?.textContent ?? '';
    let hasBegun = false;
    const looks = new MutationObserver(() => (hasBegun ||= status().startsWith('Loading')));
    looks.observe(deck, { subtree: true, childList: true, characterData: true });
    const start = await new Promise<number>((resolve) =>
      window.addEventListener('keydown', () => resolve(performance.now()), { capture: true, once: true }),
    );
    for (;;) {
      await new Promise(requestAnimationFrame);
      const ms = performance.now() - start;
      if (hasBegun && titleShown() === wanted && !status().startsWith('Loading')) {
        looks.disconnect();
        return ms;
      }
      if (ms > 30_000) throw new Error(`not loaded after 30 s: "${titleShown()}", "${status()}"`);
    }
  }, title);
  const row = trackRow(page, title);
  await row.focus();
  // After the page has started to listen for the key.
  await page.waitForTimeout(200);
  await row.press('Shift+ArrowLeft');
  return measured;
}

/**
 * Presses Play on deck A and returns the time until audio starts. This is the first sample of the page's output that is
 * not silent, by the audio clock.
 */
async function playToFirstSample(page: Page): Promise<{ quanta: number; latencyMs: number }> {
  return page.evaluate(async (quantum) => {
    const { tap } = globalThis as unknown as { tap: AnalyserNode };
    const context = tap.context as AudioContext;
    const samples = new Float32Array(tap.fftSize);
    const button = document.querySelector<HTMLElement>('[aria-label="Play deck A"]');
    const pressedAt = context.currentTime;
    button?.click();
    for (;;) {
      await new Promise(requestAnimationFrame);
      const before = context.currentTime;
      tap.getFloatTimeDomainData(samples);
      // Samples copied while the audio clock advanced have no unique time.
      if (context.currentTime !== before) continue;
      const first = samples.findIndex((sample) => Math.abs(sample) > 1e-5);
      if (first === -1) continue;
      const at = before - (samples.length - first) / context.sampleRate;
      return {
        quanta: ((at - pressedAt) * context.sampleRate) / quantum,
        latencyMs: context.outputLatency * 1000,
      };
    }
  }, renderQuantum);
}
