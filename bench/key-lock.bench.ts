import { globSync } from 'node:fs';
import path from 'node:path';
import type { StereoReader } from '@stem-studio/dsp/signal/stereo-reader';
import { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import { demoSongs, renderDemoSong } from '@stem-studio/dsp/synth/demo-songs';
import { createRandom } from '@stem-studio/dsp/synth/random';
import { mixOf } from '@stem-studio/dsp/synth/render-arrangement';
import { decodeWithFfmpeg } from './analysis-accuracy/ground-truth.ts';
import type { Bench, BenchRow } from './bench.ts';
import {
  cpuSeconds,
  lateness,
  pitchErrorCents,
  preEchoDb,
  risesLostDb,
  spectralDistanceDb,
} from './key-lock/measures.ts';
import { loadSignalsmith, type SignalsmithPlayer } from './key-lock/signalsmith.ts';

const RATE_HZ = 44_100;
const BLOCK = 128;
const SONG_SECONDS = 24;
const RATES = [0.92, 1.08] as const;

type Stereo = readonly [Float32Array, Float32Array];

interface Player {
  readonly name: string;
  play(
    song: Stereo,
    rate: number,
    semitones: number,
    frames: number,
  ): Promise<{ sides: Stereo; seconds: number }>;
}

/** Measures cost and quality of the key lock, compared with Signalsmith Stretch, which is installed only for this. */
export const bench: Bench = {
  name: 'key-lock',
  about:
    'the key lock of decks and stem player in one thread: time, pitch, pre-echo of an onset and likeness to the song, of a demo song and of songs of a data folder (--data DIR), beside signalsmith-stretch (its own setting, and the longer blocks that the stem player gave it)',
  run: async ({ dataDir, log }): Promise<BenchRow[]> => {
    const peers = [
      ['own setting', await loadSignalsmith(RATE_HZ, null)],
      ['160 ms every 15 ms', await loadSignalsmith(RATE_HZ, { blockMs: 160, intervalMs: 15 })],
    ] as const;
    const players: Player[] = [ours, ...peers.map(([name, player]) => peer(name, player))];
    const rows: BenchRow[] = [];
    const add = async (
      what: string,
      unit: string,
      measure: (player: Player) => Promise<number>,
      isMoreBetter = false,
    ) => {
      const values: number[] = [];
      for (const player of players) values.push(await measure(player));
      const [value = Number.NaN, ...others] = values;
      const [first = Number.NaN] = others;
      rows.push({
        what,
        value,
        unit,
        against: others
          .map((other, index) => `${players[index + 1]?.name} ${other.toPrecision(3)}`)
          .join('; '),
        ...(isMoreBetter ? { ratio: value / first } : {}),
      });
      log(what);
    };
    const song = mixOfSong();
    const drums = drumsOfSong();
    const frames = 16 * RATE_HZ;
    for (const rate of RATES) {
      await add(
        `song at ${rate}: speed`,
        '× realtime',
        async (player) => {
          await player.play(song, rate, 0, 4 * RATE_HZ);
          return 16 / (await player.play(song, rate, 0, frames)).seconds;
        },
        true,
      );
    }
    for (const rate of RATES) {
      for (const [name, signal] of [
        ['song', song],
        ['drums', drums],
      ] as const) {
        await add(`${name} at ${rate}: distance of log spectra`, 'dB', async (player) => {
          const { sides } = await player.play(signal, rate, 0, frames);
          return spectralDistanceDb(signal[0], sides[0], rate);
        });
      }
      await add(
        `drums at ${rate}: less rise within 5 ms of an onset than in the song`,
        'dB',
        async (player) => {
          const { sides } = await player.play(drums, rate, 0, frames);
          return risesLostDb(drums[0], sides[0], rate);
        },
      );
      const positions = Array.from({ length: 40 }, (_, index) => 20_000 + 11_025 * index);
      const clicks = clickTrack(positions, 12 * RATE_HZ);
      await add(`clicks at ${rate}: 20 to 5 ms before one`, 'dB', async (player) => {
        const { sides } = await player.play(clicks, rate, 0, 10 * RATE_HZ);
        return preEchoDb(sides[0], positions, rate);
      });
      await add(`clicks at ${rate}: farthest from the grid`, 'ms', async (player) => {
        const { sides } = await player.play(clicks, rate, 0, 10 * RATE_HZ);
        return lateness(sides[0], positions, rate);
      });
      await add(`tones of 60 Hz to 8 kHz at ${rate}: farthest off`, 'cents', (player) =>
        pitchErrorCents(async (tone) => (await player.play([tone, tone], rate, 0, 60_000)).sides[0]),
      );
    }
    for (const [name, signal] of await songsIn(dataDir)) {
      for (const rate of RATES) {
        await add(`${name} at ${rate}: distance of log spectra`, 'dB', async (player) => {
          const { sides } = await player.play(signal, rate, 0, 10 * RATE_HZ);
          return spectralDistanceDb(signal[0], sides[0], rate);
        });
        await add(
          `${name} at ${rate}: less rise within 5 ms of an onset than in the song`,
          'dB',
          async (player) => {
            const { sides } = await player.play(signal, rate, 0, 10 * RATE_HZ);
            return risesLostDb(signal[0], sides[0], rate);
          },
        );
      }
    }
    for (const [rate, semitones] of [
      [0.92, 0],
      [1.08, 0],
      [1, 12],
    ] as const) {
      rows.push(...blockRows(song, rate, semitones));
    }
    return rows;
  },
};

const ours: Player = {
  name: 'ours',
  play: async (song, rate, semitones, frames) => {
    const lock = new KeyLock(RATE_HZ);
    const reader = readerOf(song);
    const sides: Stereo = [new Float32Array(frames), new Float32Array(frames)];
    const [left, right] = [new Float32Array(BLOCK), new Float32Array(BLOCK)];
    const begun = cpuSeconds();
    lock.reset(0);
    for (let at = 0; at + BLOCK <= frames; at += BLOCK) {
      lock.process(reader, rate, semitones, left, right, BLOCK);
      sides[0].set(left, at);
      sides[1].set(right, at);
    }
    return { sides, seconds: cpuSeconds() - begun };
  },
};

function peer(name: string, player: SignalsmithPlayer): Player {
  return { name: `signalsmith (${name})`, play: (...given) => player.play(...given) };
}

/** Returns up to four songs of a folder, 14 s from second 45 of each; empty without ffmpeg. */
async function songsIn(dataDir: string | null): Promise<(readonly [string, Stereo])[]> {
  if (dataDir === null) return [];
  const files = globSync('**/*.{mp3,m4a,opus,flac,ogg}', { cwd: dataDir }).sort();
  const songs: (readonly [string, Stereo])[] = [];
  for (const file of files) {
    if (songs.length === 4) break;
    const sides = await decodeWithFfmpeg(path.join(dataDir, file), { sampleRate: RATE_HZ, channels: 2 });
    const [left, right] = (sides ?? []).map((side) => side.slice(45 * RATE_HZ, 59 * RATE_HZ));
    if (left && right && left.length === 14 * RATE_HZ) songs.push([path.parse(file).name, [left, right]]);
  }
  return songs;
}

/**
 * Measures the duration of single blocks, with a jump to another position every half second. Each block is processed
 * several times and its shortest time counts, so that other load has no effect.
 */
function blockRows(song: Stereo, rate: number, semitones: number): BenchRow[] {
  const lock = new KeyLock(RATE_HZ);
  const reader = readerOf(song);
  const [left, right] = [new Float32Array(BLOCK), new Float32Array(BLOCK)];
  const times = new Float64Array(1_720).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < 10; round++) {
    for (let block = 0; block < times.length; block++) {
      if (block % 172 === 0) lock.reset((block * 137) % 700_000);
      const begun = performance.now();
      lock.process(reader, rate, semitones, left, right, BLOCK);
      times[block] = Math.min(times[block] ?? 0, performance.now() - begun);
    }
  }
  times.sort();
  const what = `a block of 128 at ${rate}, ${semitones} semitones`;
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return [
    { what: `${what}: mean`, value: mean, unit: 'ms' },
    {
      what: `${what}: all but one in a hundred`,
      value: times[Math.floor(0.99 * times.length)] ?? 0,
      unit: 'ms',
    },
    { what: `${what}: longest, which is a jump`, value: times.at(-1) ?? 0, unit: 'ms', bar: '≤ 1 ms' },
  ];
}

function readerOf([songLeft, songRight]: Stereo): StereoReader {
  return {
    read(from, left, right, frames) {
      if (from >= 0 && from + frames <= songLeft.length) {
        left.set(songLeft.subarray(from, from + frames));
        right.set(songRight.subarray(from, from + frames));
        return;
      }
      for (let n = 0; n < frames; n++) {
        left[n] = songLeft[from + n] ?? 0;
        right[n] = songRight[from + n] ?? 0;
      }
    },
  };
}

function songOf(
  take: (block: ReturnType<typeof renderDemoSong> extends Iterable<infer B> ? B : never) => Float32Array[],
): Stereo {
  const [song] = demoSongs;
  if (!song) throw new Error('there is no demo song');
  const sides: Stereo = [new Float32Array(SONG_SECONDS * RATE_HZ), new Float32Array(SONG_SECONDS * RATE_HZ)];
  let at = 0;
  for (const block of renderDemoSong(song, SONG_SECONDS)) {
    const [left = new Float32Array(0), right = left] = take(block);
    sides[0].set(left, at);
    sides[1].set(right, at);
    at += left.length;
  }
  return sides;
}

const mixOfSong = (): Stereo => songOf(mixOf);
const drumsOfSong = (): Stereo => songOf((block) => block.drums);

/** Returns bursts of noise that decay within 5 ms. */
function clickTrack(positions: readonly number[], length: number): Stereo {
  const random = createRandom(3);
  const signal = new Float32Array(length);
  for (const position of positions) {
    for (let n = 0; n < 1_500; n++) signal[position + n] = 0.6 * (2 * random() - 1) * Math.exp(-n / 220);
  }
  return [signal, signal];
}
