import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, knownParts, type Parts, power, sdrDb, subtract } from '../testing/known-parts.ts';
import { voiceMaskOracle } from '../testing/voice-mask-oracle.ts';
import { createFourStemSeparator, type FourStemEstimates, type StereoAudio } from './four-stems.ts';

const rate = 44_100;

const rest = (mixture: StereoAudio, { vocals, drums, bass }: FourStemEstimates): StereoAudio =>
  subtract(mixture, add(vocals, drums, bass));

const parts = knownParts(12);
const mixture = add(parts.vocals, parts.drums, parts.bass, parts.other);
const oracle = await voiceMaskOracle(parts.vocals);
const separator = await createFourStemSeparator('direct', oracle);
const { stems: estimates, presence } = separator.separate(mixture.left, mixture.right);

const scores = (found: FourStemEstimates): Record<keyof Parts, number> => ({
  bass: sdrDb(parts.bass, found.bass),
  drums: sdrDb(parts.drums, found.drums),
  vocals: sdrDb(parts.vocals, found.vocals),
  other: sdrDb(parts.other, rest(mixture, found)),
});

test('recovers known sources: bass, drums, voice and wide chords', (context) => {
  const found = scores(estimates);
  context.diagnostic(JSON.stringify(found));
  assert.ok(found.bass >= 9, `bass ${found.bass} dB`);
  assert.ok(found.drums >= 5, `drums ${found.drums} dB`);
  assert.ok(found.vocals >= 8, `vocals ${found.vocals} dB`);
  assert.ok(found.other >= 8, `other ${found.other} dB`);
});

/** How far the 10 ms before an onset lie below the 10 ms after it, in dB: the median of all onsets, two a second. */
const sharpnessDb = ({ left }: StereoAudio): number => {
  const within10Ms = (first: number): number =>
    left.subarray(first, first + rate / 100).reduce((sum, x) => sum + x * x, 1e-12);
  const sharpness: number[] = [];
  for (let at = rate; at < left.length; at += rate / 2) {
    sharpness.push(10 * Math.log10(within10Ms(at) / within10Ms(at - rate / 100)));
  }
  return sharpness.sort((a, b) => a - b)[sharpness.length >> 1] as number;
};

test('onsets are sharp: the drums are faint in the 10 ms before one', (context) => {
  context.diagnostic(`${sharpnessDb(estimates.drums)} dB`);
  assert.ok(sharpnessDb(estimates.drums) >= 23, `${sharpnessDb(estimates.drums)} dB`);
});

test('without a voice the vocal stem is at least 25 dB below the mixture, and its presence unlikely', async () => {
  const nobody = await voiceMaskOracle(null);
  const instrumental = add(parts.drums, parts.bass, parts.other);
  for (const recipe of ['direct', 'refined', 'pure'] as const) {
    const found = (await createFourStemSeparator(recipe, nobody)).separate(
      instrumental.left,
      instrumental.right,
    );
    const leakDb = 10 * Math.log10(power(found.stems.vocals) / power(instrumental));
    assert.ok(leakDb <= -25, `${recipe}: ${leakDb} dB`);
    assert.ok(found.presence.vocals < 0, `${recipe}: log odds ${found.presence.vocals}`);
  }
  assert.ok(presence.vocals > 0, `with a voice: log odds ${presence.vocals}`);
});

test('harder masks leave less of the voice in the instrumental', async () => {
  const pure = (await createFourStemSeparator('pure', oracle)).separate(mixture.left, mixture.right);
  const leftDb = ({ vocals }: FourStemEstimates): number => {
    const left = subtract(parts.vocals, vocals).left;
    const still = parts.vocals.left.reduce((sum, x, i) => sum + x * (left[i] as number), 0);
    return 20 * Math.log10(Math.abs(still) / parts.vocals.left.reduce((sum, x) => sum + x * x, 0));
  };
  assert.ok(leftDb(pure.stems) < leftDb(estimates), `${leftDb(pure.stems)} and ${leftDb(estimates)} dB`);
});

test('separation is deterministic', () => {
  const again = separator.separate(mixture.left, mixture.right);
  assert.deepEqual(again.stems, estimates);
});

test('silence gives silence', () => {
  const silence = new Float32Array(rate);
  for (const stem of Object.values(separator.separate(silence, silence).stems)) assert.equal(power(stem), 0);
});

test('mono audio gives stems with equal audio channels', () => {
  const mono = mixture.left.slice(0, 3 * rate);
  for (const { left, right } of Object.values(separator.separate(mono, mono).stems))
    assert.deepEqual(left, right);
});

test('separates audio of one sample, of less than one frame and of none', () => {
  for (const length of [0, 1, 700]) {
    const channel = mixture.left.slice(0, length);
    const { stems } = separator.separate(channel, channel);
    for (const { left } of Object.values(stems)) {
      assert.equal(left.length, length);
      assert.ok(left.every(Number.isFinite));
    }
  }
});

test('progress rises from above 0 to 1', () => {
  const reported: number[] = [];
  separator.separate(mixture.left.slice(0, rate), mixture.right.slice(0, rate), (part) =>
    reported.push(part),
  );
  assert.deepEqual(
    reported,
    [...reported].sort((a, b) => a - b),
  );
  assert.equal(reported.at(-1), 1);
});

test('refuses audio channels of different lengths', () => {
  assert.throws(
    () => separator.separate(new Float32Array(2), new Float32Array(3)),
    /both sides must have one length \(got 2 and 3\)/,
  );
});

test('the refinement improves known sources on the whole', async (context) => {
  const refined = await createFourStemSeparator('refined', oracle);
  const found = refined.separate(mixture.left, mixture.right).stems;
  const [after, before] = [scores(found), scores(estimates)];
  context.diagnostic(JSON.stringify(after));
  const gain = (Object.keys(after) as (keyof Parts)[]).reduce(
    (sum, stem) => sum + after[stem] - before[stem],
    0,
  );
  assert.ok(gain / 4 >= 0.5, `${gain / 4} dB`);
});

test('the refinement is deterministic, keeps silence silent and mono audio mono', async () => {
  const refined = await createFourStemSeparator('refined', oracle);
  const silence = new Float32Array(rate);
  for (const stem of Object.values(refined.separate(silence, silence).stems)) assert.equal(power(stem), 0);
  const mono = mixture.left.slice(0, 2 * rate);
  const found = refined.separate(mono, mono);
  assert.deepEqual(refined.separate(mono, mono), found);
  for (const { left, right } of Object.values(found.stems)) {
    for (const [i, value] of left.entries()) assert.ok(Math.abs(value - (right[i] as number)) < 1e-6);
  }
});
