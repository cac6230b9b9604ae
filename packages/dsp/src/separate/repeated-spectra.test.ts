import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factorizeSpectrogram } from './repeated-spectra.ts';

const width = 12;
const frames = 60;
const shapes = [
  [9, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0],
  [0, 0, 2, 0, 8, 0, 3, 0, 0, 1, 0, 0],
];
/** Two spectra, each with its own rhythm. */
const twoSources = Float32Array.from({ length: frames * width }, (_, i) => {
  const t = Math.floor(i / width);
  const [a, b] = shapes.map((shape) => shape[i % width] as number) as [number, number];
  return a * (t % 4 === 0 ? 1 : 0.1) + b * (t % 6 < 3 ? 0.7 : 0);
});

const distance = (a: Float32Array, b: Float32Array): number =>
  Math.sqrt(
    a.reduce((sum, value, i) => sum + (value - (b[i] as number)) ** 2, 0) /
      b.reduce((sum, value) => sum + value * value, 0),
  );

test('a spectrogram of two spectra is approximated by two within 5 %', () => {
  const description = factorizeSpectrogram(twoSources, width, { count: 2, iterations: 200 });
  assert.ok(distance(description, twoSources) < 0.05, `${distance(description, twoSources)}`);
});

test('a single event that fits no repeated spectrum is mostly left out', () => {
  const disturbed = twoSources.slice();
  disturbed[31 * width + 11] = 5;
  const description = factorizeSpectrogram(disturbed, width, { count: 2, iterations: 200 });
  assert.ok((description[31 * width + 11] as number) < 1, `${description[31 * width + 11]}`);
});

test('silence stays silence, and the result is deterministic', () => {
  const silence = factorizeSpectrogram(new Float32Array(5 * width), width, { count: 3, iterations: 4 });
  assert.ok(silence.every((value) => value >= 0 && value < 1e-6));
  const options = { count: 3, iterations: 4 };
  assert.deepEqual(
    factorizeSpectrogram(twoSources, width, options),
    factorizeSpectrogram(twoSources, width, options),
  );
});
