import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFourStemSeparator, type FourStemEstimates, type StereoSound } from './four-stems.ts';

const rate = 44_100;
const separator = await createFourStemSeparator();

type Parts = Record<'vocals' | 'drums' | 'bass' | 'other', StereoSound>;

/** A bass of three notes, clicks of noise, a trembling voice in the middle and wide chords, from formulas alone. */
function knownParts(seconds: number): Parts {
  const length = Math.round(seconds * rate);
  const side = (sample: (t: number, i: number) => number): Float32Array =>
    Float32Array.from({ length }, (_, i) => sample(i / rate, i));
  const tone = (t: number, hz: number, harmonics: number): number => {
    let sum = 0;
    for (let h = 1; h <= harmonics; h++) sum += Math.sin(2 * Math.PI * hz * h * t) / h;
    return sum;
  };
  const bass = side((t) => 0.25 * tone(t, [55, 65.41, 82.41][Math.floor(t) % 3] as number, 2));
  let state = 7;
  const drums = side((t) => {
    state = (state * 48_271) % 2_147_483_647;
    const sinceBlow = t % 0.5;
    return 0.8 * ((state / 2_147_483_647) * 2 - 1) * Math.exp(-sinceBlow / 0.06);
  });
  // A melody that glides from note to note and trembles six times a second.
  let phase = 0;
  const vocals = side((t) => {
    const note = 300 * 2 ** (Math.sin(2 * Math.PI * 0.23 * t) / 3);
    phase += (2 * Math.PI * note * (1 + 0.02 * Math.sin(2 * Math.PI * 6 * t))) / rate;
    let sum = 0;
    for (let h = 1; h <= 8; h++) sum += Math.sin(phase * h) / h;
    return 0.15 * sum;
  });
  const chord = (t: number, roots: readonly number[]): number =>
    roots.reduce((sum, hz) => sum + tone(t, hz * (Math.floor(t / 2) % 2 === 0 ? 1 : 1.122), 5), 0);
  return {
    bass: { left: bass, right: bass },
    drums: { left: drums, right: drums },
    vocals: { left: vocals, right: vocals },
    other: {
      left: side((t) => 0.06 * chord(t, [392, 493.9, 587.3])),
      right: side((t) => -0.06 * chord(t, [440, 523.3, 659.3])),
    },
  };
}

const add = (...sounds: StereoSound[]): StereoSound => {
  const [first] = sounds as [StereoSound];
  const sum = (name: 'left' | 'right'): Float32Array =>
    first[name].map((_, i) => sounds.reduce((total, sound) => total + (sound[name][i] as number), 0));
  return { left: sum('left'), right: sum('right') };
};

const power = (sound: StereoSound): number =>
  [sound.left, sound.right].reduce((sum, side) => sum + side.reduce((total, x) => total + x * x, 0), 0);

const subtract = (a: StereoSound, b: StereoSound): StereoSound => ({
  left: a.left.map((x, i) => x - (b.left[i] as number)),
  right: a.right.map((x, i) => x - (b.right[i] as number)),
});

/** Signal to distortion ratio in dB. */
const sdrDb = (truth: StereoSound, estimate: StereoSound): number =>
  10 * Math.log10(power(truth) / power(subtract(truth, estimate)));

const rest = (mixture: StereoSound, { vocals, drums, bass }: FourStemEstimates): StereoSound =>
  subtract(mixture, add(vocals, drums, bass));

const parts = knownParts(12);
const mixture = add(parts.vocals, parts.drums, parts.bass, parts.other);
const estimates = separator.separate(mixture.left, mixture.right);

const scores = (found: FourStemEstimates): Record<keyof Parts, number> => ({
  bass: sdrDb(parts.bass, found.bass),
  drums: sdrDb(parts.drums, found.drums),
  vocals: sdrDb(parts.vocals, found.vocals),
  other: sdrDb(parts.other, rest(mixture, found)),
});

test('known parts are recovered: bass, drums, voice and wide chords', (context) => {
  const found = scores(estimates);
  context.diagnostic(JSON.stringify(found));
  assert.ok(found.bass >= 9, `bass ${found.bass} dB`);
  assert.ok(found.drums >= 5, `drums ${found.drums} dB`);
  assert.ok(found.vocals >= 8, `vocals ${found.vocals} dB`);
  assert.ok(found.other >= 8, `other ${found.other} dB`);
});

test('without a voice the vocal stem is at least 25 dB below the mixture', () => {
  const instrumental = add(parts.drums, parts.bass, parts.other);
  const { vocals } = separator.separate(instrumental.left, instrumental.right);
  const leakDb = 10 * Math.log10(power(vocals) / power(instrumental));
  assert.ok(leakDb <= -25, `${leakDb} dB`);
});

test('the same samples always give the same samples', () => {
  const again = separator.separate(mixture.left, mixture.right);
  assert.deepEqual(again, estimates);
});

test('silence gives silence', () => {
  const silence = new Float32Array(rate);
  for (const stem of Object.values(separator.separate(silence, silence))) assert.equal(power(stem), 0);
});

test('a mono sound gives stems whose sides are equal', () => {
  const mono = mixture.left.slice(0, 3 * rate);
  for (const { left, right } of Object.values(separator.separate(mono, mono))) assert.deepEqual(left, right);
});

test('sounds of one sample, of less than one frame and of none are separated too', () => {
  for (const length of [0, 1, 700]) {
    const sound = mixture.left.slice(0, length);
    const stems = separator.separate(sound, sound);
    for (const { left } of Object.values(stems)) {
      assert.equal(left.length, length);
      assert.ok(left.every(Number.isFinite));
    }
  }
});

test('progress rises from above 0 to 1', () => {
  const told: number[] = [];
  separator.separate(mixture.left.slice(0, rate), mixture.right.slice(0, rate), (part) => told.push(part));
  assert.deepEqual(
    told,
    [...told].sort((a, b) => a - b),
  );
  assert.equal(told.at(-1), 1);
});

test('sides of different lengths are refused', () => {
  assert.throws(
    () => separator.separate(new Float32Array(2), new Float32Array(3)),
    /both sides must have one length \(got 2 and 3\)/,
  );
});

test('the second round divides known parts cleaner on the whole', async (context) => {
  const refined = await createFourStemSeparator('refined');
  const found = refined.separate(mixture.left, mixture.right);
  const [after, before] = [scores(found), scores(estimates)];
  context.diagnostic(JSON.stringify(after));
  const gain = (Object.keys(after) as (keyof Parts)[]).reduce(
    (sum, stem) => sum + after[stem] - before[stem],
    0,
  );
  assert.ok(gain / 4 >= 0.5, `${gain / 4} dB`);
});

test('the second round repeats itself exactly, leaves silence silent and a mono sound equal on both sides', async () => {
  const refined = await createFourStemSeparator('refined');
  const silence = new Float32Array(rate);
  for (const stem of Object.values(refined.separate(silence, silence))) assert.equal(power(stem), 0);
  const mono = mixture.left.slice(0, 2 * rate);
  const found = refined.separate(mono, mono);
  assert.deepEqual(refined.separate(mono, mono), found);
  for (const { left, right } of Object.values(found)) {
    for (const [i, value] of left.entries()) assert.ok(Math.abs(value - (right[i] as number)) < 1e-6);
  }
});

test('where the voice is favoured, less of it stays behind than in the plain division', async () => {
  const favouring = await createFourStemSeparator('voice');
  const short = (sound: StereoSound): StereoSound => ({
    left: sound.left.slice(0, 6 * rate),
    right: sound.right.slice(0, 6 * rate),
  });
  const [song, truth] = [short(mixture), short(parts.vocals)];
  /** The part of the voice that an estimate holds, 0 to 1. */
  const kept = ({ vocals }: FourStemEstimates): number =>
    vocals.left.reduce((sum, x, i) => sum + x * (truth.left[i] as number), 0) /
    truth.left.reduce((sum, x) => sum + x * x, 0);
  const [favoured, plain] = [favouring, separator].map((one) => kept(one.separate(song.left, song.right)));
  assert.ok((favoured as number) > (plain as number) + 0.03, `${favoured} of the voice, plain ${plain}`);
});
