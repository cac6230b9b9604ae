import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, power, sdrDb, subtract } from '../testing/known-parts.ts';
import type { StereoSound } from './four-stems.ts';
import { sharpenBlows } from './sharpen-blows.ts';

const rate = 44_100;
const seconds = 3;

const sound = (sample: (t: number) => number): StereoSound => {
  const side = Float32Array.from({ length: seconds * rate }, (_, i) => sample(i / rate));
  return { left: side, right: side.slice() };
};
const silence = (): StereoSound => sound(() => 0);
const copyOf = ({ left, right }: StereoSound): StereoSound => ({ left: left.slice(), right: right.slice() });
const cut = ({ left, right }: StereoSound, from: number, to: number): StereoSound => {
  const [first, end] = [Math.round(from * rate), Math.round(to * rate)];
  return { left: left.subarray(first, end), right: right.subarray(first, end) };
};
const times = (by: (t: number) => number, { left, right }: StereoSound): StereoSound => ({
  left: left.map((x, i) => x * by(i / rate)),
  right: right.map((x, i) => x * by(i / rate)),
});

let state = 7;
const noise = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return (state / 2_147_483_647) * 2 - 1;
};
const blowTimes = [0.5, 1, 1.5, 2, 2.5];
/** Blows of noise that die away within a tenth of a second. */
const blows = sound((t) => (t < 0.5 ? 0 : 0.7 * noise() * Math.exp(-(t % 0.5) / 0.03)));
const steady = sound((t) => 0.1 * Math.sin(2 * Math.PI * 110 * t));
/** A mask that opens half a frame before each blow and closes after it; a tenth is let through in any case. */
const opening = (t: number): number => {
  const nearest = Math.min(...blowTimes.map((at) => Math.abs(t - at)));
  return nearest < 0.046 ? 0.55 + 0.45 * Math.cos((Math.PI * nearest) / 0.046) : 0.1;
};
const mixture = add(blows, steady);
const blurred = add(blows, times(opening, steady));
const beforeBlows = (found: StereoSound): number =>
  blowTimes.reduce((sum, at) => sum + power(cut(found, at - 0.013, at - 0.003)), 0);

test('what the masks let in before a blow is taken out of the drums, and the blow stays what it is', () => {
  const drums = copyOf(blurred);
  sharpenBlows(mixture, { vocals: silence(), drums, bass: silence() });
  const downDb = 10 * Math.log10(beforeBlows(blurred) / beforeBlows(drums));
  assert.ok(downDb >= 20, `${downDb} dB`);
  for (const at of blowTimes) {
    const change = subtract(cut(drums, at, at + 0.4), cut(blurred, at, at + 0.4));
    assert.ok(power(change) <= 1e-6 * power(cut(blurred, at, at + 0.4)));
  }
});

test('what is taken goes to the stems that sound there, each by its level, and the sum stays', () => {
  const [vocals, drums, bass] = [silence(), copyOf(blurred), subtract(mixture, blurred)];
  const before = sdrDb(steady, bass);
  sharpenBlows(mixture, { vocals, drums, bass });
  assert.equal(power(vocals), 0, 'a stem that is silent stays silent');
  assert.ok(sdrDb(steady, bass) >= before + 2, `${before} dB, then ${sdrDb(steady, bass)} dB`);
  assert.ok(power(subtract(mixture, add(drums, bass))) <= 1e-10 * power(mixture));
});

test('what belongs to none of the three is left for the fourth', () => {
  const [drums, bass, vocals] = [copyOf(blurred), silence(), silence()];
  sharpenBlows(mixture, { vocals, drums, bass });
  assert.equal(power(bass) + power(vocals), 0);
  assert.ok(sdrDb(steady, subtract(mixture, drums)) >= sdrDb(steady, subtract(mixture, blurred)) + 2);
});

test('drums that stand alone are left as they are: rolls, a faint stroke before a loud one, low kicks', () => {
  const stroke = (since: number): number => (since < 0 ? 0 : Math.exp(-since / 0.03));
  const alone = {
    roll: sound((t) => 0.5 * noise() * stroke(t % 0.06)),
    flam: sound((t) => noise() * (0.1 * stroke((t % 0.5) - 0.2) + 0.7 * stroke((t % 0.5) - 0.24))),
    kick: sound((t) => Math.sin(2 * Math.PI * 50 * (t % 0.5)) * Math.exp(-(t % 0.5) / 0.15)),
  };
  for (const [name, played] of Object.entries(alone)) {
    const drums = copyOf(played);
    sharpenBlows(played, { vocals: silence(), drums, bass: silence() });
    assert.ok(sdrDb(played, drums) >= 60, `${name}: ${sdrDb(played, drums)} dB`);
  }
});

test('silence, and sounds shorter than a look at them takes, stay as they are', () => {
  for (const length of [0, 1, 63, 200, 5000]) {
    const some = { left: new Float32Array(length).fill(0.1), right: new Float32Array(length) };
    const none = (): StereoSound => ({ left: new Float32Array(length), right: new Float32Array(length) });
    const drums = copyOf(some);
    sharpenBlows(some, { vocals: none(), drums, bass: none() });
    assert.deepEqual(drums, some);
    const silent = none();
    sharpenBlows(none(), { vocals: none(), drums: silent, bass: none() });
    assert.deepEqual(silent, none());
  }
});
