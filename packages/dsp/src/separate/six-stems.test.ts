import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNetworkWeights } from '../testing/network-weights.ts';
import { voiceMaskOracle } from '../testing/voice-mask-oracle.ts';
import { createFourStemSeparator } from './four-stems.ts';
import { createSixStemSeparator } from './six-stems.ts';

const rate = 44_100;

/** Noise bursts, a low and a high tone, wide and in the middle. */
function makeSong(seconds: number): { left: Float32Array; right: Float32Array } {
  const left = new Float32Array(seconds * rate);
  const right = new Float32Array(seconds * rate);
  let state = 7;
  for (let i = 0; i < left.length; i++) {
    const t = i / rate;
    state = (state * 48_271) % 2_147_483_647;
    const hit = 0.5 * ((state / 2_147_483_647) * 2 - 1) * Math.exp(-(t % 0.5) / 0.06);
    const middle = hit + 0.25 * Math.sin(2 * Math.PI * 55 * t);
    const chord = 0.1 * Math.sin(2 * Math.PI * 587.3 * t) + 0.1 * Math.sin(2 * Math.PI * 880 * t);
    left[i] = middle + chord;
    right[i] = middle + 0.3 * chord;
  }
  return { left, right };
}

const weights = randomNetworkWeights();
const nobody = await voiceMaskOracle(null);

test('vocals, drums and bass equal those of the refined four stems; guitar and piano come from the residual', async () => {
  const song = makeSong(3);
  const reported: number[] = [];
  const six = await createSixStemSeparator(weights, nobody);
  const { stems, presence } = six.separate(song.left.slice(), song.right.slice(), (part) =>
    reported.push(part),
  );
  const four = await createFourStemSeparator('refined', nobody);
  const expected = four.separate(song.left.slice(), song.right.slice());
  for (const name of ['vocals', 'drums', 'bass'] as const)
    assert.deepEqual(stems[name], expected.stems[name]);
  assert.equal(presence.vocals, expected.presence.vocals);
  for (const name of ['guitar', 'piano'] as const) {
    assert.equal(stems[name].left.length, song.left.length);
    assert.ok(stems[name].left.every(Number.isFinite));
    assert.ok(stems[name].left.some((x) => Math.abs(x) > 0.01));
    assert.ok(Number.isFinite(presence[name]));
  }
  assert.deepEqual(
    reported,
    [...reported].sort((a, b) => a - b),
  );
  assert.equal(reported.at(-1), 1);
});

test('silence gives silence', async () => {
  const six = await createSixStemSeparator(weights, nobody);
  const { stems } = six.separate(new Float32Array(rate), new Float32Array(rate));
  for (const name of ['vocals', 'drums', 'bass', 'guitar', 'piano'] as const) {
    assert.ok(stems[name].left.every((x) => Math.abs(x) < 1e-9));
  }
});

test('refuses audio channels of different lengths', async () => {
  const six = await createSixStemSeparator(weights, nobody);
  assert.throws(() => six.separate(new Float32Array(10), new Float32Array(11)), /one length/);
});
