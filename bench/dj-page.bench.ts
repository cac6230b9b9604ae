import type { Page } from 'playwright-core';
import { deckOf, loadRow } from '../e2e/dj-page.ts';
import { titlesShown, trackRow } from '../e2e/library-page.ts';
import type { Bench, BenchRow } from './bench.ts';
import { countFrames, lateMs } from './page-frames.ts';
import { openStudioPage } from './studio-page.ts';

/** Long enough that a break of the audio every few minutes is found. */
const seconds = 300;
const songsOfTheDemo = 3;
/** The smallest screen on which the decks show everything. */
const viewport = { width: 1280, height: 720 };

/** Statistics of the audio output. */
interface OutputStats {
  readonly underruns: number;
  readonly underrunSeconds: number;
}

/** Stores the page's audio context for its statistics. Runs in the page, before its own scripts. */
function keepContext(): void {
  const Native = AudioContext;
  globalThis.AudioContext = class extends Native {
    constructor(options?: AudioContextOptions) {
      super(options);
      (globalThis as { benchContext?: AudioContext }).benchContext = this;
    }
  };
}

/** Returns the size of the page's heap after a garbage collection, in bytes. */
const heapBytes = (page: Page): Promise<number> =>
  page.evaluate(() => {
    (globalThis as { gc?: () => void }).gc?.();
    return (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0;
  });

/** Returns the statistics of the audio output; null if the browser does not provide them. */
const outputStats = (page: Page): Promise<OutputStats | null> =>
  page.evaluate(() => {
    type MeasuredContext = { playbackStats?: Record<string, number> };
    const stats = (globalThis as { benchContext?: MeasuredContext }).benchContext?.playbackStats;
    return stats
      ? {
          underruns: stats['underrunEvents'] ?? 0,
          underrunSeconds: stats['underrunDuration'] ?? 0,
        }
      : null;
  });

async function playBoth(page: Page, titles: readonly [string, string]): Promise<void> {
  await page.goto('/?tab=dj');
  for (const [index, letter] of (['A', 'B'] as const).entries()) {
    const deck = deckOf(page, letter);
    await loadRow(trackRow(page, titles[index] ?? ''), letter);
    const load = deck.getByRole('button', { name: 'Load stems' });
    const mute = deck.getByRole('button', { name: `Mute Vocals, deck ${letter}` });
    // Stems may load by themselves.
    await load.or(mute).first().waitFor();
    if (await load.isVisible()) await load.click();
    await mute.waitFor();
    // Not the recorded tempo, so that the key lock is active.
    await deck.getByRole('slider', { name: `Tempo of deck ${letter}` }).press('PageUp');
  }
  for (const letter of ['A', 'B'] as const)
    await page.getByRole('button', { name: `Play deck ${letter}`, exact: true }).click();
  await page.waitForTimeout(3000);
}

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const page = await openStudioPage(ends, {
      flags: [
        '--js-flags=--expose-gc',
        '--enable-precise-memory-info',
        '--enable-blink-features=AudioContextPlaybackStats',
      ],
      beforeScripts: keepContext,
    });
    await page.getByRole('button', { name: 'Import demo album' }).click();
    log('the demo songs are made, separated and analysed');
    await page
      .getByRole('img', { name: 'Stems ready' })
      .nth(songsOfTheDemo - 1)
      .waitFor();
    const [one = '', two = ''] = await titlesShown(page);
    await page.setViewportSize(viewport);
    await playBoth(page, [one, two]);
    log(`both decks play four stems each under key lock for ${seconds} s`);
    const heapBefore = await heapBytes(page);
    const { frames, late, longestMs } = await countFrames(page, seconds);
    const stats = await outputStats(page);
    const heapAfter = await heapBytes(page);
    const rows: BenchRow[] = [
      { what: 'frames per second', value: frames / seconds, unit: '/s' },
      {
        what: `frames within ${lateMs} ms`,
        value: 100 * (1 - late / Math.max(1, frames)),
        unit: '%',
        bar: '≥ 99.5 %',
      },
      { what: 'longest time between two frames', value: longestMs, unit: 'ms' },
      { what: 'heap of the page before', value: heapBefore / 1e6, unit: 'MB' },
      { what: 'heap of the page after', value: heapAfter / 1e6, unit: 'MB', bar: 'as before' },
    ];
    if (stats)
      rows.push(
        { what: 'underruns of the audio output', value: stats.underruns, unit: '', bar: '0' },
        { what: 'sound that was missing', value: stats.underrunSeconds * 1000, unit: 'ms', bar: '0' },
      );
    else log('this browser tells nothing about underruns (no AudioContext.playbackStats)');
    return rows;
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the DJ page with both decks playing. */
export const bench: Bench = {
  name: 'dj-page',
  about:
    'How smoothly the decks’ page draws, and whether the sound breaks, with two decks of four stems each.',
  run: ({ log }) => measure(log),
};
