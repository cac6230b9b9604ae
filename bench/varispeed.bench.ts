import type { StereoReader } from '@stem-studio/dsp/signal/stereo-reader';
import { Varispeed } from '@stem-studio/dsp/signal/varispeed';
import { fitTone } from '@stem-studio/dsp/testing/tone-residual';
import type { Bench, BenchRow } from './bench.ts';

const RATE_HZ = 44_100;
const FRAMES = 16_384;
const BLOCK = 128;

/** Plays a tone from a fractional position; returns the output and the processing time in ms. */
type Play = (tone: Float32Array, rate: number) => { samples: Float32Array; milliseconds: number };

/** Measures the purity of varispeed, compared with four-point interpolation. */
export const bench: Bench = {
  name: 'varispeed',
  about:
    'distortion beside a tone, and aliasing of a tone that is too high, when a song is played faster or slower',
  run: async ({ log }): Promise<BenchRow[]> => {
    const rows: BenchRow[] = [];
    const row = (what: string, value: number, hermite: number, unit: string) =>
      rows.push({ what, value, unit, against: `4-point Hermite ${hermite.toPrecision(3)} ${unit}` });
    for (const rate of [0.5, 0.84, 0.92, 1.08, 1.16, 2]) {
      for (const hz of [1_000, 8_000]) {
        if (hz * rate > 15_000) continue;
        const tone = toneOf(hz);
        const [own, other] = [sinc(tone, rate), hermite(tone, rate)];
        row(
          `${hz} Hz at ${rate}: all beside the tone`,
          restDb(own.samples, hz * rate),
          restDb(other.samples, hz * rate),
          'dB',
        );
      }
      log(`beside tones at ${rate}`);
    }
    for (const [rate, outputHz] of [
      [1.16, 25_000],
      [2, 30_000],
      [8, 30_000],
      [8, 100_000],
    ] as const) {
      const tone = toneOf(outputHz / rate);
      row(
        `${Math.round(outputHz / rate)} Hz at ${rate}, above the audible range: aliasing`,
        levelDb(sinc(tone, rate).samples),
        levelDb(hermite(tone, rate).samples),
        'dB',
      );
    }
    for (const rate of [0.92, 1.08, 8]) {
      const tone = toneOf(1_000);
      const best = (play: Play): number =>
        Math.min(...Array.from({ length: 20 }, () => play(tone, rate).milliseconds)) / (FRAMES / BLOCK);
      row(`a block of 128 at ${rate}`, best(sinc), best(hermite), 'ms');
    }
    return rows;
  },
};

const sinc: Play = (tone, rate) => {
  const reader: StereoReader = {
    read(from, left, right, frames) {
      left.set(tone.subarray(from, from + frames));
      right.set(tone.subarray(from, from + frames));
    },
  };
  const varispeed = new Varispeed();
  const samples = new Float32Array(FRAMES);
  const right = new Float32Array(BLOCK);
  let position = 1_000.3;
  const begun = performance.now();
  for (let at = 0; at < FRAMES; at += BLOCK) {
    position = varispeed.process(
      reader,
      position,
      rate,
      rate,
      samples.subarray(at, at + BLOCK),
      right,
      BLOCK,
    );
  }
  return { samples, milliseconds: performance.now() - begun };
};

/**
 * The peer: third-order Hermite interpolation over four samples, see L. de Soras, "The Quest for the Perfect
 * Resampler".
 */
const hermite: Play = (tone, rate) => {
  const samples = new Float32Array(FRAMES);
  const begun = performance.now();
  for (let n = 0; n < FRAMES; n++) {
    const position = 1_000.3 + n * rate;
    const first = Math.floor(position);
    const [before = 0, from = 0, to = 0, after = 0] = tone.subarray(first - 1, first + 3);
    const slope = (to - before) / 2;
    const w = slope + from - to;
    const cubic = w + from - to + (after - from) / 2;
    const t = position - first;
    samples[n] = ((cubic * t - (w + cubic)) * t + slope) * t + from;
  }
  return { samples, milliseconds: performance.now() - begun };
};

function toneOf(hz: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: 140_000 }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / RATE_HZ));
}

/** Returns the level of everything except the tone, relative to it. */
const restDb = (samples: Float32Array, hz: number) => fitTone(samples, hz, RATE_HZ).residualDb;

function levelDb(samples: Float32Array): number {
  return 10 * Math.log10(samples.reduce((sum, y) => sum + y * y, 0) / samples.length / 0.125 + 1e-20);
}
