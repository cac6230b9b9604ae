import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, power, sdrDb, subtract } from '../testing/known-parts.ts';
import type { StereoAudio } from './four-stems.ts';
import { sharpenOnsets } from './sharpen-onsets.ts';

const rate = 44_100;
const seconds = 3;

const render = (sample: (t: number) => number): StereoAudio => {
  const side = Float32Array.from({ length: seconds * rate }, (_, i) => sample(i / rate));
  return { left: side, right: side.slice() };
};
const silence = (): StereoAudio => render(() => 0);
const copyOf = ({ left, right }: StereoAudio): StereoAudio => ({ left: left.slice(), right: right.slice() });
const cut = ({ left, right }: StereoAudio, from: number, to: number): StereoAudio => {
  const [first, end] = [Math.round(from * rate), Math.round(to * rate)];
  return { left: left.subarray(first, end), right: right.subarray(first, end) };
};
const times = (by: (t: number) => number, { left, right }: StereoAudio): StereoAudio => ({
  left: left.map((x, i) => x * by(i / rate)),
  right: right.map((x, i) => x * by(i / rate)),
});

let state = 7;
const noise = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return (state / 2_147_483_647) * 2 - 1;
};
const onsetTimes = [0.5, 1, 1.5, 2, 2.5];
/** Bursts of noise that die away within a tenth of a second. */
const hits = render((t) => (t < 0.5 ? 0 : 0.7 * noise() * Math.exp(-(t % 0.5) / 0.03)));
const steady = render((t) => 0.1 * Math.sin(2 * Math.PI * 110 * t));
/** A mask that opens half a frame before each hit and closes after it; a tenth is let through in any case. */
const opening = (t: number): number => {
  const nearest = Math.min(...onsetTimes.map((at) => Math.abs(t - at)));
  return nearest < 0.046 ? 0.55 + 0.45 * Math.cos((Math.PI * nearest) / 0.046) : 0.1;
};
const mixture = add(hits, steady);
const blurred = add(hits, times(opening, steady));
const beforeOnsets = (found: StereoAudio): number =>
  onsetTimes.reduce((sum, at) => sum + power(cut(found, at - 0.013, at - 0.003)), 0);

test('removes what the masks let in before an onset, and leaves the onset unchanged', () => {
  const drums = copyOf(blurred);
  sharpenOnsets(mixture, { vocals: silence(), drums, bass: silence() });
  const downDb = 10 * Math.log10(beforeOnsets(blurred) / beforeOnsets(drums));
  assert.ok(downDb >= 20, `${downDb} dB`);
  for (const at of onsetTimes) {
    const change = subtract(cut(drums, at, at + 0.4), cut(blurred, at, at + 0.4));
    assert.ok(power(change) <= 1e-6 * power(cut(blurred, at, at + 0.4)));
  }
});

test('distributes the removed audio to the other stems by level, and keeps the sum', () => {
  const [vocals, drums, bass] = [silence(), copyOf(blurred), subtract(mixture, blurred)];
  const before = sdrDb(steady, bass);
  sharpenOnsets(mixture, { vocals, drums, bass });
  assert.equal(power(vocals), 0, 'a stem that is silent stays silent');
  assert.ok(sdrDb(steady, bass) >= before + 2, `${before} dB, then ${sdrDb(steady, bass)} dB`);
  assert.ok(power(subtract(mixture, add(drums, bass))) <= 1e-10 * power(mixture));
});

test('leaves what belongs to none of the three to the fourth stem', () => {
  const [drums, bass, vocals] = [copyOf(blurred), silence(), silence()];
  sharpenOnsets(mixture, { vocals, drums, bass });
  assert.equal(power(bass) + power(vocals), 0);
  assert.ok(sdrDb(steady, subtract(mixture, drums)) >= sdrDb(steady, subtract(mixture, blurred)) + 2);
});

test('leaves solo drums unchanged: rolls, a quiet hit before a loud one, low kicks', () => {
  const hit = (since: number): number => (since < 0 ? 0 : Math.exp(-since / 0.03));
  const alone = {
    roll: render((t) => 0.5 * noise() * hit(t % 0.06)),
    flam: render((t) => noise() * (0.1 * hit((t % 0.5) - 0.2) + 0.7 * hit((t % 0.5) - 0.24))),
    kick: render((t) => Math.sin(2 * Math.PI * 50 * (t % 0.5)) * Math.exp(-(t % 0.5) / 0.15)),
  };
  for (const [name, played] of Object.entries(alone)) {
    const drums = copyOf(played);
    sharpenOnsets(played, { vocals: silence(), drums, bass: silence() });
    assert.ok(sdrDb(played, drums) >= 60, `${name}: ${sdrDb(played, drums)} dB`);
  }
});

test('leaves silence and very short audio unchanged', () => {
  for (const length of [0, 1, 63, 200, 5000]) {
    const some = { left: new Float32Array(length).fill(0.1), right: new Float32Array(length) };
    const none = (): StereoAudio => ({ left: new Float32Array(length), right: new Float32Array(length) });
    const drums = copyOf(some);
    sharpenOnsets(some, { vocals: none(), drums, bass: none() });
    assert.deepEqual(drums, some);
    const silent = none();
    sharpenOnsets(none(), { vocals: none(), drums: silent, bass: none() });
    assert.deepEqual(silent, none());
  }
});
