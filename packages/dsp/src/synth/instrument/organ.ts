import { frequencyOf } from '../pitch.ts';
import { fadeEnd, monoSamples, SAMPLE_RATE_HZ, type StereoSamples, samplesIn } from '../stereo-samples.ts';
import { TableOscillator } from '../wavetable.ts';

/** Harmonics of the nine drawbars, counted from an octave below the key: 16′, 5⅓′, 8′, 4′, 2⅔′, 2′, 1⅗′, 1⅓′, 1′. */
const FEET = [1, 3, 2, 4, 6, 8, 10, 12, 16];
const SIZE = 2048;
const kept = new Map<string, Float32Array>();

/**
 * Renders one note of a tone-wheel organ: nine sines, mixed by drawbars. Mono, steady, peak about `velocity`.
 *
 * @param drawbars nine digits 0 to 8 from 16′ to 1′, for instance `888000000`; each step is 3 dB
 * @param velocity 0 to 1
 * @throws RangeError if there are not nine digits of 0 to 8
 * @see Hammond, US patent 1,956,350, 1934 (additive tone wheels)
 */
export function renderOrgan(
  midi: number,
  durationSeconds: number,
  velocity: number,
  drawbars: string,
): StereoSamples {
  const held = samplesIn(durationSeconds);
  const samples = new Float32Array(held + samplesIn(0.12));
  const hz = frequencyOf(midi - 12);
  const wheels = new TableOscillator(tableOf(drawbars));
  const attack = 1 / (0.012 * SAMPLE_RATE_HZ);
  const release = 1 / (0.025 * SAMPLE_RATE_HZ);
  let level = 0;
  for (let index = 0; index < samples.length; index++) {
    level += index < held ? (1 - level) * attack : -level * release;
    samples[index] = velocity * level * wheels.next(hz);
  }
  fadeEnd(samples, 0.02);
  return monoSamples(samples);
}

/** Returns one period of the slowest wheel; the levels sum to 1. */
function tableOf(drawbars: string): Float32Array {
  if (!/^[0-8]{9}$/.test(drawbars)) {
    throw new RangeError(`drawbars must be nine digits 0 to 8 (got ${drawbars})`);
  }
  const found = kept.get(drawbars);
  if (found) return found;
  const levels = drawbars
    .split('')
    .map((digit) => (digit === '0' ? 0 : 10 ** ((3 * (Number(digit) - 8)) / 20)));
  const sum = Math.max(
    1e-9,
    levels.reduce((total, level) => total + level, 0),
  );
  const table = Float32Array.from({ length: SIZE + 1 }, (_, index) =>
    levels.reduce(
      (total, level, bar) => total + (level / sum) * Math.sin((2 * Math.PI * FEET[bar]! * index) / SIZE),
      0,
    ),
  );
  kept.set(drawbars, table);
  return table;
}
