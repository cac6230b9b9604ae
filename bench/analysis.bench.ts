import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTrackAnalyzer, loadAnalysis, type TrackAnalyzer } from '@stem-studio/dsp/plan/analyze';
import type { FeatureName } from '@stem-studio/dsp/plan/track-analysis';
import { peerRhythm } from './analysis-accuracy/music-tempo.ts';
import { analyseWithEssentia, essentiaFolder } from './analysis-accuracy/peers/find-peers.ts';
import { writePeerWav } from './analysis-accuracy/peers/peer-scores.ts';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const SAMPLE_RATE = 44_100;
const SECONDS = 240;
const HOUR = 3_600;
const BLOCK = 16_384;
const ROUNDS = 3;

/** Measures the analysis speed of a four-minute song on one core. */
export const bench: Bench = {
  name: 'analysis',
  about:
    'analysis of four minutes of stereo at 44.1 kHz on one core, beside music-tempo (tempo and beats alone)',
  run: async (options: BenchOptions): Promise<BenchRow[]> => {
    await loadAnalysis();
    const song = synthesizeSong();
    // Compiles the code before the measurement.
    timeAnalysis(
      song.map((samples) => samples.subarray(0, 10 * SAMPLE_RATE)),
      'all',
    );
    const rows: BenchRow[] = [];
    for (const feature of ['all', 'tempo', 'key', 'energy', 'spectral', 'mfcc', 'chroma'] as const) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(timeAnalysis(song, feature));
        if (feature === 'tempo') theirs.push(timePeer(song));
      }
      const value = SECONDS / median(ours);
      const peer = SECONDS / median(theirs);
      rows.push({
        what: feature === 'all' ? 'everything' : feature,
        value: Math.round(value),
        unit: '× realtime',
        ...(feature === 'all' && { bar: '≥ 60 ×' }),
        ...(feature === 'tempo' && { against: `music-tempo ${peer.toFixed(0)} ×`, ratio: value / peer }),
      });
      options.log(`${feature}: ${value.toFixed(0)} × realtime`);
    }
    rows.push(await besideEssentia(song, options));
    for (const [what, times] of [
      ['four minutes', 1],
      ['an hour', HOUR / SECONDS],
    ] as const)
      rows.push({ what: `memory held after ${what}`, value: measureMemory(song, times), unit: 'MB' });
    return rows;
  },
};

/** Returns the memory in MB that an analysis retains after the last sample of the audio, repeated `times` times. */
function measureMemory(song: Float32Array[], times: number): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    // Unreachable memory is not counted.
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = held();
  const analyzer = createTrackAnalyzer({ sampleRate: SAMPLE_RATE, channels: 2, features: ['all'] });
  for (let time = 0; time < times; time++) pushAll(analyzer, song);
  const needed = held() - before;
  analyzer.finish();
  return Math.round(needed / 1e6);
}

function pushAll(analyzer: TrackAnalyzer, song: Float32Array[]): void {
  for (let at = 0; at < (song[0]?.length ?? 0); at += BLOCK)
    analyzer.push(song.map((samples) => samples.subarray(at, at + BLOCK)));
}

/** Compares the whole analysis with the same features of essentia.js, in processor seconds without loading. */
async function besideEssentia(song: Float32Array[], { log }: BenchOptions): Promise<BenchRow> {
  const folder = essentiaFolder();
  const what = 'tempo, beats, key, chords, chroma, MFCC and spectrum';
  const bar = '≥ 4 × essentia.js';
  const value = Math.round(SECONDS / timeAnalysis(song, 'all'));
  if (folder === null)
    return { what, value, unit: '× realtime', bar, against: 'essentia.js: not installed (set ESSENTIA_JS)' };
  const tempFolder = await mkdtemp(path.join(tmpdir(), 'stem-studio-bench-'));
  try {
    const file = path.join(tempFolder, 'song.wav');
    const [left = new Float32Array(0), right = left] = song;
    await writePeerWav(
      file,
      left.map((sample, at) => (sample + (right[at] ?? 0)) / 2),
    );
    log('essentia.js listens');
    const { cpu_seconds } = await analyseWithEssentia(folder, file, true);
    const peer = SECONDS / cpu_seconds;
    return {
      what,
      value,
      unit: '× realtime',
      bar,
      against: `essentia.js ${peer.toFixed(1)} ×`,
      ratio: value / peer,
    };
  } finally {
    await rm(tempFolder, { recursive: true });
  }
}

/** Returns bass drum, hi-hat, a walking bass and chords at 120 bpm. Left and right differ slightly. */
function synthesizeSong(): Float32Array[] {
  const roots = [45, 41, 48, 43];
  let state = 1;
  return [0, 0.003].map((delaySeconds) =>
    Float32Array.from({ length: SECONDS * SAMPLE_RATE }, (_, at) => {
      const time = at / SAMPLE_RATE + delaySeconds;
      const beat = time % 0.5;
      const root = roots[Math.floor(time / 2) % roots.length] ?? 45;
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const drum = 0.4 * Math.exp(-25 * beat) * Math.sin(2 * Math.PI * 55 * beat);
      const hat = 0.05 * Math.exp(-60 * ((time + 0.25) % 0.5)) * (state / 2 ** 31 - 1);
      const chord = [0, 12, 16, 19].reduce((sum, interval) => {
        return sum + 0.06 * Math.sin(2 * Math.PI * 440 * 2 ** ((root + interval - 69) / 12) * time);
      }, 0);
      return drum + hat + chord;
    }),
  );
}

/** Returns processor seconds, which other processes do not affect. */
function timeAnalysis(song: Float32Array[], feature: FeatureName): number {
  const start = process.cpuUsage();
  const analyzer = createTrackAnalyzer({ sampleRate: SAMPLE_RATE, channels: 2, features: [feature] });
  pushAll(analyzer, song);
  analyzer.finish();
  return secondsSince(start);
}

function timePeer([left = new Float32Array(0), right = left]: Float32Array[]): number {
  const start = process.cpuUsage();
  peerRhythm(left.map((value, at) => (value + (right[at] ?? 0)) / 2));
  return secondsSince(start);
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
