import { spawn } from 'node:child_process';
import { createResampler, type ResamplerOptions } from '@stem-studio/dsp/signal/resample';
import { fitTone } from '@stem-studio/dsp/testing/tone-residual';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const SECONDS = 30;
const PAIRS = [
  [44100, 48000],
  [48000, 44100],
  [96000, 44100],
  [44100, 22050],
] as const;

/** Measures the speed and quality of stereo resampling. */
export const bench: Bench = {
  name: 'resample',
  about: 'speed of stereo resampling on one core, and what is left beside a tone, beside ffmpeg as it comes',
  run: async (given: BenchOptions): Promise<BenchRow[]> => {
    const rows: BenchRow[] = [];
    for (const quality of ['high', 'fast'] as const) {
      for (const [fromRate, toRate] of PAIRS) {
        const options = { fromRate, toRate, channels: 2, quality };
        const hz = 0.4 * Math.min(fromRate, toRate);
        const what = `${fromRate} → ${toRate} Hz, ${quality}`;
        rows.push({ what, value: measureSpeed(options), unit: '×' });
        rows.push({
          what: `${what}: beside a tone`,
          value: restDb(resampleTone(options, hz), toRate, hz),
          unit: 'dB',
          bar: '≤ −120 dB',
          against: await besideFfmpeg(options, hz, (output) => restDb(output, toRate, hz)),
        });
        // The lowest tone that must be removed, if the higher rate can represent it.
        const edge = quality === 'high' ? 0.51 : 0.56;
        if (edge * toRate < fromRate / 2) {
          const level = levelDb(resampleTone(options, edge * toRate));
          rows.push({
            what: `${what}: folded from ${edge} of the rate`,
            value: level,
            unit: 'dB',
            bar: '≤ −110 dB',
            against: await besideFfmpeg(options, edge * toRate, levelDb),
          });
        }
        given.log(what);
      }
    }
    return rows;
  },
};

function measureSpeed(options: ResamplerOptions): number {
  const block = createTone(1000, options.fromRate, 4096);
  const blocks = Math.ceil((SECONDS * options.fromRate) / 4096);
  const resampler = createResampler(options);
  // The filter table is computed before the measurement; the first blocks warm up the loop.
  for (let index = 0; index < 20; index++) resampler.process([block, block]);
  const start = performance.now();
  for (let index = 0; index < blocks; index++) resampler.process([block, block]);
  return SECONDS / ((performance.now() - start) / 1000);
}

/** Returns the level of everything except the tone, relative to it. */
const restDb = (output: Float32Array, rate: number, hz: number) =>
  fitTone(output, hz, rate, Math.floor(output.length * 0.2)).residualDb;

/** Returns the level of the aliases of a tone above the new band, relative to the tone. */
function levelDb(output: Float32Array): number {
  const middle = output.subarray(Math.floor(output.length * 0.2), Math.floor(output.length * 0.8));
  return 10 * Math.log10(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length / 0.125);
}

function resampleTone(options: ResamplerOptions, hz: number): Float32Array {
  const resampler = createResampler({ ...options, channels: 1 });
  return resampler.process([createTone(hz, options.fromRate, options.fromRate)])[0] ?? new Float32Array(0);
}

/** Returns the same measurement of ffmpeg's resampling of the tone, as text. */
async function besideFfmpeg(
  { fromRate, toRate }: ResamplerOptions,
  hz: number,
  measure: (output: Float32Array) => number,
): Promise<string> {
  const tone = createTone(hz, fromRate, fromRate);
  const shape = (rate: number) => ['-f', 'f32le', '-ar', String(rate), '-ac', '1'];
  const args = ['-v', 'error', ...shape(fromRate), '-i', 'pipe:0', ...shape(toRate), 'pipe:1'];
  const child = spawn('ffmpeg', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const isThere = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
  if (!(await isThere)) return 'ffmpeg: not installed';
  child.stdin.end(Buffer.from(tone.buffer));
  const parts: Buffer[] = [];
  for await (const part of child.stdout) parts.push(part as Buffer);
  const bytes = Uint8Array.from(Buffer.concat(parts));
  return `ffmpeg ${measure(new Float32Array(bytes.buffer)).toFixed(0)} dB`;
}

function createTone(hz: number, rate: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / rate));
}
