import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convolveFrames, type FrameLayer } from './convolve-frames.ts';

/** Numbers that look random and are the same each time. */
const numbers = (count: number, seed: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => Math.sin(12.9898 * (i + 1) * seed));

/** The sum as it is written, one product after another. */
function plainly(layer: FrameLayer, input: Float64Array, frames: number, t: number, j: number): number {
  const { inputs, taps, distance, weights, biases } = layer;
  let sum = biases[j] as number;
  for (let tap = 0; tap < taps; tap++) {
    const at = taps === 1 ? t : t + (tap - 1) * distance;
    if (at < 0 || at >= frames) continue;
    for (let i = 0; i < inputs; i++) {
      sum += (weights[j * inputs * taps + tap * inputs + i] as number) * (input[at * inputs + i] as number);
    }
  }
  return sum;
}

for (const [taps, distance, frames] of [
  [3, 1, 9],
  [3, 4, 10],
  [3, 32, 7],
  [1, 0, 5],
  [3, 2, 1],
] as const) {
  test(`${taps} taps ${distance} apart give the weighted sums of ${frames} frames, with silence beyond the ends`, () => {
    const layer: FrameLayer = {
      inputs: 5,
      outputs: 8,
      taps,
      distance,
      weights: numbers(5 * 8 * taps, 3),
      biases: numbers(8, 5),
    };
    const input = numbers(5 * frames, 7);
    const output = convolveFrames(layer, input, frames);
    assert.equal(output.length, 8 * frames);
    for (const [i, value] of output.entries()) {
      const expected = plainly(layer, input, frames, Math.floor(i / 8), i % 8);
      assert.ok(Math.abs(value - expected) < 1e-12, `${i}: ${value} for ${expected}`);
    }
  });
}

test('refuses an input of another length and outputs that are not a multiple of four', () => {
  const layer: FrameLayer = {
    inputs: 2,
    outputs: 4,
    taps: 1,
    distance: 0,
    weights: new Float64Array(8),
    biases: new Float64Array(4),
  };
  assert.throws(() => convolveFrames(layer, new Float64Array(5), 3), /3 frames of 2 values .*got 5/);
  assert.throws(() => convolveFrames({ ...layer, outputs: 6 }, new Float64Array(6), 3), /multiple of 4/);
});
