import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createVoiceMaskEstimator } from '@stem-studio/dsp/separate/voice-masks';
import {
  createVoiceNetwork,
  type StereoMagnitudes,
  type VoiceWindow,
  voiceBins,
  voiceWindowFrames,
  voiceWindowStep,
} from '@stem-studio/dsp/separate/voice-network';
import { voiceWeights } from './voice-weights.ts';

const weights = readFileSync(voiceWeights);

/** Values by an independent implementation (`training/golden_voice.py`): side, frame, bin, voice, accompaniment. */
const golden = [
  [0, 0, 18, 0.017849, 53.179005],
  [0, 0, 55, 0.00012, 39.455254],
  [0, 0, 300, 0.006111, 0.28466],
  [0, 0, 1022, 0.045178, 0.201669],
  [0, 1, 18, 0.0, 70.629532],
  [0, 1, 55, 0.0, 44.738834],
  [0, 1, 300, 1.3e-5, 0.134814],
  [0, 1, 1022, 0.003308, 0.143056],
  [0, 100, 18, 0.000143, 114.70948],
  [0, 100, 55, 0.000116, 73.443466],
  [0, 100, 300, 4.9e-5, 0.014378],
  [0, 100, 1022, 0.0, 0.056968],
  [0, 399, 18, 0.000228, 86.652451],
  [0, 399, 55, 0.000542, 55.125282],
  [0, 399, 300, 0.000492, 0.122855],
  [0, 399, 1022, 0.0, 0.138502],
  [0, 400, 18, 0.0, 0.0],
  [0, 400, 55, 0.0, 0.0],
  [0, 400, 300, 0.0, 0.0],
  [0, 400, 1022, 0.0, 0.0],
  [1, 0, 18, 0.019926, 59.490856],
  [1, 0, 55, 0.000119, 37.61269],
  [1, 0, 300, 0.001691, 0.076751],
  [1, 0, 1022, 0.021459, 0.095257],
  [1, 1, 18, 0.0, 67.882812],
  [1, 1, 55, 0.0, 43.127502],
  [1, 1, 300, 1e-6, 0.011204],
  [1, 1, 1022, 0.00121, 0.052142],
  [1, 100, 18, 0.000135, 112.53614],
  [1, 100, 55, 0.000113, 72.227303],
  [1, 100, 300, 0.004749, 1.402631],
  [1, 100, 1022, 0.0, 0.007634],
  [1, 399, 18, 0.000212, 83.94413],
  [1, 399, 55, 0.000504, 53.540466],
  [1, 399, 300, 3.2e-5, 0.007945],
  [1, 399, 1022, 0.0, 0.048777],
  [1, 400, 18, 0.0, 0.0],
  [1, 400, 55, 0.0, 0.0],
  [1, 400, 300, 0.0, 0.0],
  [1, 400, 1022, 0.0, 0.0],
] as const;
const goldenEnergy = { voice: 29.05933154375244, accompaniment: 43819485.37592026 };

/** Returns noise in the range −0.5 to 0.5 that differs between seeds. */
function noise(length: number, seed: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => (Math.imul(i + seed, 2_654_435_761) >>> 0) / 2 ** 32 - 0.5);
}

function energy(...spectra: readonly Float32Array[]): number {
  return spectra.reduce((sum, plane) => plane.reduce((part, value) => part + value * value, sum), 0);
}

function assertIsMask(values: Float32Array): void {
  assert.ok(
    values.every((value) => value >= 0 && value <= 1),
    'every value must be 0 to 1',
  );
}

/** Values by the same implementation for the first 128 frames as a window of their own. */
const shortGolden = [
  [0, 0, 18, 0.075099, 53.179005],
  [0, 0, 300, 0.010335, 0.28466],
  [0, 0, 1022, 0.054442, 0.197288],
  [0, 1, 1022, 0.005981, 0.142008],
  [0, 100, 18, 0.000977, 114.70948],
  [0, 100, 300, 9.9e-5, 0.014378],
  [1, 0, 18, 0.083723, 59.490856],
  [1, 0, 55, 0.002157, 37.61269],
  [1, 1, 1022, 0.002203, 0.051758],
  [1, 100, 18, 0.000927, 112.53614],
  [1, 100, 300, 0.009695, 1.402631],
  [1, 100, 1022, 1e-6, 0.00763],
] as const;
const shortGoldenEnergy = { voice: 53.22096057644958, accompaniment: 14333336.759463083 };

type GoldenValue = readonly [side: number, frame: number, bin: number, voice: number, accompaniment: number];

/** Writes 400 frames of noise and of a swelling tone into the input of the network. */
function fillInput({ left, right }: StereoMagnitudes): void {
  for (const [side, plane] of [left, right].entries())
    for (let t = 0; t < 400; t++) {
      const swell = 0.5 + 0.5 * Math.sin(t / 7);
      for (let k = 0; k < voiceBins; k++) {
        const index = (side * voiceWindowFrames + t) * voiceBins + k;
        const random = (Math.imul(index, 2_654_435_761) >>> 0) / 2 ** 32;
        const tone = k % 18 < 2 && k < 400 ? (150 / (1 + k / 50)) * swell : 0;
        plane[t * voiceBins + k] = (10 * random ** 2) / (1 + k / 64) + tone;
      }
    }
}

/** Compares values of a window; the expected ones are rounded to six digits. */
function assertGolden(
  { voice, accompaniment, mask }: VoiceWindow,
  values: readonly GoldenValue[],
  filledFrames: number,
): void {
  for (const [side, t, k, expectedVoice, expectedAccompaniment] of values) {
    const at = t * voiceBins + k;
    const name = side === 0 ? 'left' : 'right';
    const found = [voice[name][at] as number, accompaniment[name][at] as number] as const;
    const point = `${name} frame ${t} bin ${k}`;
    for (const [i, expected] of [expectedVoice, expectedAccompaniment].entries())
      assert.ok(
        Math.abs((found[i] as number) - expected) < 1e-6 + 1e-3 * expected,
        `${i === 0 ? 'voice' : 'accompaniment'}, ${point}: ${found[i]}, not ${expected}`,
      );
    if (t >= filledFrames) continue;
    const expectedMask = found[0] ** 2 / (found[0] ** 2 + found[1] ** 2);
    assert.ok(Math.abs((mask[name][at] as number) - expectedMask) < 1e-4, `mask, ${point}`);
  }
}

/** Compares the energy of the first frames of both estimates. */
function assertEnergy(
  window: VoiceWindow,
  expected: Readonly<Record<'voice' | 'accompaniment', number>>,
  frames: number,
): void {
  for (const name of ['voice', 'accompaniment'] as const) {
    const { left, right } = window[name];
    const found = energy(left.subarray(0, frames * voiceBins), right.subarray(0, frames * voiceBins));
    assert.ok(Math.abs(found / expected[name] - 1) < 1e-3, `energy of the ${name}`);
  }
}

test('computes the magnitudes of the numpy implementation within a thousandth', async () => {
  const network = await createVoiceNetwork(weights);
  fillInput(network.input);
  const window = network.estimate();
  assertGolden(window, golden, 400);
  assertEnergy(window, goldenEnergy, voiceWindowFrames);
});

test('computes shorter windows as the numpy implementation, also after a longer one', async () => {
  const network = await createVoiceNetwork(weights);
  fillInput(network.input);
  network.estimate();
  const window = network.estimate(voiceWindowStep);
  assertGolden(window, shortGolden, voiceWindowStep);
  assertEnergy(window, shortGoldenEnergy, voiceWindowStep);
  for (const frames of [0, 64, 640]) assert.throws(() => network.estimate(frames), /multiple of 128 .*got/);
});

test('a recording in blocks has the masks of the whole, frame by frame in order', async () => {
  const estimator = await createVoiceMaskEstimator(weights);
  const left = noise(530 * 1024 + 77, 1);
  const right = noise(left.length, 9_999_991);
  const whole = estimator.estimate(left, right);
  assert.equal(whole.frameCount, Math.ceil((left.length + 3072) / 1024));
  assertIsMask(whole.left);
  assert.notDeepEqual(whole.left, whole.right);
  let next = 0;
  const stream = estimator.stream((masks, firstFrame) => {
    assert.equal(firstFrame, next);
    next += masks.frameCount;
    const from = firstFrame * voiceBins;
    assert.deepEqual(masks.left, whole.left.subarray(from, from + masks.left.length));
    assert.deepEqual(masks.right, whole.right.subarray(from, from + masks.right.length));
  });
  for (let from = 0, size = 1; from < left.length; from += size, size = (size * 7) % 90_001)
    stream.push(left.subarray(from, from + size), right.subarray(from, from + size));
  stream.finish();
  assert.equal(next, whole.frameCount);
});

test('silence, one sample and samples that are not numbers give finite masks', async () => {
  const estimator = await createVoiceMaskEstimator(weights);
  const silence = estimator.estimate(new Float32Array(5000), new Float32Array(5000));
  assert.equal(silence.frameCount, 8);
  assert.ok(silence.left.every((value) => value === 0.5));
  const one = estimator.estimate(Float32Array.of(1), Float32Array.of(-1));
  assert.equal(one.frameCount, 4);
  assertIsMask(one.left);
  const clean = noise(5000, 3);
  const broken = clean.slice();
  for (const [i, value] of [Number.NaN, Infinity, -Infinity].entries()) {
    broken[1000 * (i + 1)] = value;
    clean[1000 * (i + 1)] = 0;
  }
  const expected = estimator.estimate(clean, clean);
  assertIsMask(expected.left);
  assert.deepEqual(estimator.estimate(broken, broken), expected);
  const huge = estimator.estimate(
    clean.map((value) => value * 1e38),
    clean,
  );
  assertIsMask(huge.left);
  assertIsMask(huge.right);
});

test('audio channels of different length are refused', async () => {
  const estimator = await createVoiceMaskEstimator(weights);
  assert.throws(() => estimator.estimate(new Float32Array(10), new Float32Array(9)), {
    name: 'RangeError',
    message: 'both sides must have one length (got 10 and 9)',
  });
});

test('a truncated, altered or other weights file is refused with the reason', async () => {
  const changed = (at: number, value: number): Uint8Array => {
    const copy = new Uint8Array(weights);
    copy[at] = value;
    return copy;
  };
  const header = weights.indexOf('vocals/conv1');
  const last = weights.length - 200_000;
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(0), /damaged: the file must begin with STEMNET1/],
    [weights.subarray(0, 10), /damaged: the header is incomplete/],
    [weights.subarray(0, 500), /damaged: the header is incomplete/],
    [weights.subarray(0, last), /damaged: the file must have \d+ bytes \(got \d+\)/],
    [changed(0, 0), /damaged: the file must begin with STEMNET1/],
    [changed(header, 0x56), /damaged: the header must describe the two networks/],
    [changed(last, (weights[last] as number) ^ 1), /damaged: the checksum does not match/],
  ];
  for (const [file, message] of cases)
    await assert.rejects(createVoiceNetwork(file), { name: 'RangeError', message });
});
