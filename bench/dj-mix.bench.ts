import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createTrackAnalyzer, loadAnalysis } from '@stem-studio/dsp/plan/analyze';
import type { Page } from 'playwright-core';
import { deckOf, loadRow, openRecordings } from '../e2e/dj-page.ts';
import { dropFiles, trackRow } from '../e2e/library-page.ts';
import type { Bench, BenchRow } from './bench.ts';
import { openStudioPage } from './studio-page.ts';

const folder = path.join('music', 'Demo Songs');
/** The leading song and the song synced to it: 128 and 140 beats per minute. */
const songs = [
  { file: '01 Buzzer Beater.mp3', type: 'audio/mpeg', title: 'Buzzer Beater' },
  { file: '04 Onion.ogg', type: 'audio/ogg', title: 'Onion' },
] as const;
const aloneSeconds = 20;

/** A recording of the mixer's output: one array per channel, and the sample rate. */
interface Recording {
  sides: Float32Array[];
  sampleRate: number;
}

async function readRecording(file: string): Promise<Recording> {
  const bytes = await readFile(file);
  const source = await openAudio(
    (async function* () {
      yield bytes;
    })(),
  );
  const blocks: Float32Array[][] = [];
  for await (const block of source.blocks) blocks.push(block.map((side) => side.slice()));
  const frames = blocks.reduce((sum, [side]) => sum + (side?.length ?? 0), 0);
  const sides = [new Float32Array(frames), new Float32Array(frames)];
  let at = 0;
  for (const block of blocks) {
    for (const [side, samples] of sides.entries()) samples.set(block[side] ?? [], at);
    at += block[0]?.length ?? 0;
  }
  return { sides, sampleRate: source.info.sample_rate };
}

/** Returns the detected beats between two times of a recording, in seconds from its start. */
function detectBeats({ sides, sampleRate }: Recording, from: number, to: number): number[] {
  const analyzer = createTrackAnalyzer({ sampleRate, channels: 2, features: ['tempo'] });
  analyzer.push(sides.map((side) => side.subarray(from * sampleRate, to * sampleRate)));
  return (analyzer.finish().beats ?? []).map((beat) => beat + from);
}

/** Returns the constant-tempo grid that fits beats best: its period and its first beat in seconds. */
function gridOf(beats: readonly number[]): { period: number; first: number } {
  const middle = (beats.length - 1) / 2;
  const mean = beats.reduce((sum, beat) => sum + beat, 0) / beats.length;
  let over = 0;
  let under = 0;
  for (const [i, beat] of beats.entries()) {
    over += (i - middle) * (beat - mean);
    under += (i - middle) ** 2;
  }
  const period = over / under;
  return { period, first: mean - middle * period };
}

async function mix(
  page: Page,
  log: (line: string) => void,
  shoot: (name: string) => Promise<void>,
): Promise<string> {
  const press = async (key: string, times: number, pauseMs: number) => {
    for (let i = 0; i < times; i++) {
      await page.keyboard.press(key);
      await page.waitForTimeout(pauseMs);
    }
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/?tab=dj');
  await loadRow(trackRow(page, songs[0].title), 'A');
  await loadRow(trackRow(page, songs[1].title), 'B');
  for (const [letter, { title }] of [
    ['A', songs[0]],
    ['B', songs[1]],
  ] as const) {
    await deckOf(page, letter).getByRole('heading', { name: title }).waitFor();
    const positionSlider = page.getByRole('slider', { name: `Position of deck ${letter}` });
    // A part of the song with all instruments.
    for (let i = 0; i < 12; i++) await positionSlider.press('ArrowRight');
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await press('a', 20, 10);
  await button('Record the mix').click();
  await button('Play deck A').click();
  await page.waitForTimeout(4000);
  await button('Sync deck B').click();
  await button('Play deck B').click();
  await page.waitForTimeout((aloneSeconds - 4) * 1000);
  await shoot('dj-mix-1-leading');
  log('deck B comes in');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await press('s', 10, 300);
  await shoot('dj-mix-2-both');
  await press('s', 10, 300);
  await page.waitForTimeout(aloneSeconds * 1000);
  await shoot('dj-mix-3-alone');
  await button('Stop recording').click();
  const link = await openRecordings(page);
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return file.path();
}

async function measure(dataDir: string, log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const page = await openStudioPage(ends, { settings: { AUTO_SEPARATE: 'off' } });
    await dropFiles(
      page,
      songs.map(({ file, type }) => ({
        name: file,
        type,
        bytes: readFileSync(path.join(dataDir, folder, file)),
      })),
    );
    for (const { title } of songs)
      await trackRow(page, title).locator('[data-column="bpm"]').filter({ hasText: /\d/ }).waitFor();
    log('both songs are analysed');
    const shoot = async (name: string) => {
      await page.screenshot({ path: path.join(import.meta.dirname, '..', 'e2e', 'results', `${name}.png`) });
    };
    const recording = await readRecording(await mix(page, log, shoot));
    await loadAnalysis();
    const length = (recording.sides[0]?.length ?? 0) / recording.sampleRate;
    const leading = gridOf(detectBeats(recording, 2, aloneSeconds - 1));
    const following = gridOf(detectBeats(recording, length - aloneSeconds + 2, length - 0.5));
    // Tempi an octave apart are in sync too, so the shorter period is used.
    const period = Math.min(leading.period, following.period);
    const beats = (following.first - leading.first) / period;
    const slope = Math.abs(Math.log2(leading.period / following.period));
    return [
      { what: 'tempo of the leading song in the recording', value: 60 / leading.period, unit: 'bpm' },
      { what: 'tempo of the following song in the recording', value: 60 / following.period, unit: 'bpm' },
      {
        what: 'their tempi apart, modulo octaves',
        value: 100 * (2 ** Math.abs(slope - Math.round(slope)) - 1),
        unit: '%',
      },
      {
        what: 'their beats apart',
        value: 1000 * Math.abs(beats - Math.round(beats)) * period,
        unit: 'ms',
        bar: '≤ 30',
      },
    ];
  } finally {
    await ends.disposeAsync();
  }
}

/** Mixes two songs of the data folder on the page and analyses the recording. */
export const bench: Bench = {
  name: 'dj-mix',
  about: 'How far the beats of two real songs are apart that were synced on the page, in the recorded mix',
  async run({ dataDir, log }) {
    if (dataDir !== null) return measure(dataDir, log);
    log('needs --data DIR with music in it');
    return [];
  },
};
