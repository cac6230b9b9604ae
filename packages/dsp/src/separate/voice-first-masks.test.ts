import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, knownParts, power, sdrDb, subtract } from '../testing/known-parts.ts';
import { separateByMasks } from '../testing/separate-by-masks.ts';
import type { FourStemEstimates, StereoAudio } from './four-stems.ts';
import { estimateMasksAtOnce } from './stem-masks.ts';
import { estimateMasksVoiceFirst } from './voice-first-masks.ts';

const rate = 44_100;
const separator = {
  separate: (left: Float32Array, right: Float32Array): FourStemEstimates =>
    separateByMasks(estimateMasksVoiceFirst, { left, right }),
};
const parts = knownParts(8);
const mixture = add(parts.vocals, parts.drums, parts.bass, parts.other);
const estimates = separator.separate(mixture.left, mixture.right);

test('vocals are at least 1.5 dB better than with masks estimated at once', (context) => {
  const plain = separateByMasks(estimateMasksAtOnce, mixture);
  const [found, before] = [estimates, plain].map(({ vocals }) => sdrDb(parts.vocals, vocals)) as [
    number,
    number,
  ];
  context.diagnostic(`${found} dB, at once ${before} dB`);
  assert.ok(found >= before + 1.5, `${found} dB, at once ${before} dB`);
});

test('finds drums, bass and chords in the remainder', (context) => {
  const rest = subtract(mixture, add(estimates.vocals, estimates.drums, estimates.bass));
  const found = {
    drums: sdrDb(parts.drums, estimates.drums),
    bass: sdrDb(parts.bass, estimates.bass),
    other: sdrDb(parts.other, rest),
  };
  context.diagnostic(JSON.stringify(found));
  assert.ok(found.drums >= 4, `drums ${found.drums} dB`);
  assert.ok(found.bass >= 9, `bass ${found.bass} dB`);
  assert.ok(found.other >= 8, `other ${found.other} dB`);
});

test('separates the voice of mono audio by melody and repetition alone, equal in both audio channels', (context) => {
  const toMono = ({ left, right }: StereoAudio): StereoAudio => {
    const middle = left.map((x, i) => 0.5 * (x + (right[i] as number)));
    return { left: middle, right: middle };
  };
  const mono = toMono(mixture);
  const { vocals } = separator.separate(mono.left, mono.right);
  assert.deepEqual(vocals.left, vocals.right);
  const found = sdrDb(parts.vocals, vocals);
  context.diagnostic(`${found} dB`);
  assert.ok(found >= 5, `${found} dB`);
});

test('without a voice the vocal stem is at least 25 dB below the mixture', () => {
  const instrumental = add(parts.drums, parts.bass, parts.other);
  const { vocals } = separator.separate(instrumental.left, instrumental.right);
  const leakDb = 10 * Math.log10(power(vocals) / power(instrumental));
  assert.ok(leakDb <= -25, `${leakDb} dB`);
});

test('silence gives silence, and separation is deterministic', () => {
  const silence = new Float32Array(rate);
  for (const stem of Object.values(separator.separate(silence, silence))) assert.equal(power(stem), 0);
  const short = mixture.left.slice(0, 2 * rate);
  assert.deepEqual(separator.separate(short, short), separator.separate(short, short));
});

test('separates audio of one sample, of less than one frame and of none', () => {
  for (const length of [0, 1, 700]) {
    const channel = mixture.left.slice(0, length);
    const found: FourStemEstimates = separator.separate(channel, channel);
    for (const { left } of Object.values(found)) {
      assert.equal(left.length, length);
      assert.ok(left.every(Number.isFinite));
    }
  }
});

test('progress rises from above 0 to 1', () => {
  const reported: number[] = [];
  separateByMasks(
    (spectrogram, magnitude, pool) =>
      estimateMasksVoiceFirst(spectrogram, magnitude, pool, (part) => reported.push(part)),
    { left: mixture.left.slice(0, rate), right: mixture.right.slice(0, rate) },
  );
  assert.deepEqual(
    reported,
    [...reported].sort((a, b) => a - b),
  );
  assert.equal(reported.at(-1), 1);
});
