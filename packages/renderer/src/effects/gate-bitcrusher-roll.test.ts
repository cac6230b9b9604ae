import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EffectRig, effectOf, largestStep, levelOf, noise, sine } from '../testing/effect-rig.ts';
import { near } from '../testing/near.ts';

test('the gate opens on each step for the set part of it, to the sample', () => {
  const rig = new EffectRig(22_050);
  rig.slot.set(effectOf('gate', { Open: 0.4, Ramp: 2 }, { beats: 1 / 2, wet: 1 }));
  const { left } = rig.render(66_150, () => 0.5);
  const ramp = 0.002 * 44_100;
  for (const step of [1, 2, 3, 4]) {
    const start = step * 11_025;
    assert.ok(left[start - 1] === 0, `closed before step ${step}`);
    near(left[start + 43], 0.5 * (44 / ramp), 0.01);
    near(left[start + Math.ceil(ramp)], 0.5, 1e-6);
    near(left[start + 4409], 0.5, 1e-6);
    assert.ok(left[start + 4410 + Math.ceil(ramp) + 1] === 0, `closed after step ${step}`);
  }
  assert.ok(largestStep(left) <= 0.5 / ramp + 1e-6);
});

test('the gate keeps the beat when the position jumps, without a step', () => {
  const rig = new EffectRig(22_050);
  rig.slot.set(effectOf('gate', { Open: 0.5, Ramp: 5 }, { beats: 1, wet: 1 }));
  rig.render(22_016, () => 0.5);
  rig.clock.beat += 0.63;
  const { left } = rig.render(44_100, () => 0.5);
  assert.ok(largestStep(left) <= 0.5 / 220 + 1e-6);
});

test('the bitcrusher rounds to the levels of its bits, holds samples, and adds no offset', () => {
  const rig = new EffectRig();
  rig.slot.set(effectOf('bitcrusher', { Bits: 4, 'Sample rate': 4410 }, { wet: 1 }));
  rig.render(4480, sine(100, 0.9));
  // 20 periods of holding and tone together.
  const left = rig.render(88_200, sine(100, 0.9)).left.subarray(0, 88_200);
  const values = new Set(left);
  for (const value of values) near(value * 8, Math.round(value * 8), 1e-6);
  assert.equal(values.size, 15);
  const lengths: number[] = [];
  let since = 0;
  for (let n = 1; n < left.length; n++) {
    since++;
    if (left[n] === left[n - 1]) continue;
    lengths.push(since);
    since = 0;
  }
  assert.ok(lengths.slice(1).every((length) => length % 10 === 0));
  const mean = left.reduce((sum, sample) => sum + sample, 0) / left.length;
  assert.ok(Math.abs(mean) < 1e-3, `offset ${mean}`);
  rig.slot.set(effectOf('bitcrusher', { Bits: 2, 'Sample rate': 44_100 }, { wet: 1 }));
  rig.render(8960, () => 0);
  assert.ok(rig.render(1280, () => 1e-3).left.every((sample) => sample === 0));
});

test('the roll repeats the samples of its slice, begun on a quarter of a beat, and fades at its ends', () => {
  const rig = new EffectRig(22_050);
  const input = noise();
  rig.render(4480, input);
  rig.slot.set(effectOf('roll', { Division: 0, 'Low cut': 20 }, { beats: 1 / 2, wet: 1 }));
  const { left } = rig.render(60_000, input);
  const start = Math.round(22_050 / 4) - 4480;
  const length = 11_025;
  const fade = 221;
  for (let n = 0; n < start + length; n++) assert.equal(left[n], Math.fround(input(4480 + n)), `frame ${n}`);
  for (const repeat of [1, 2, 3])
    for (let n = fade; n < length; n++)
      assert.equal(left[start + repeat * length + n], left[start + n], `repeat ${repeat}, sample ${n}`);
});

test('the roll of a steady tone has no step at its ends, nor when its length is divided', () => {
  const rig = new EffectRig(22_050);
  const tone = sine(333);
  rig.slot.set(effectOf('roll', { Division: 0, 'Low cut': 20 }, { beats: 1 / 2, wet: 1 }));
  const slow = rig.render(44_100, tone).left;
  rig.slot.set(effectOf('roll', { Division: 2, 'Low cut': 20 }, { beats: 1 / 2, wet: 1 }));
  const fast = rig.render(22_050, tone).left;
  const bound = 1.5 * largestStep(Float32Array.from({ length: 1000 }, (_, n) => tone(n)));
  assert.ok(
    largestStep(slow) < bound && largestStep(fast) < bound,
    `${largestStep(slow)} ${largestStep(fast)}`,
  );
  // A quarter of the slice: it repeats four times as often.
  const length = Math.round(11_025 / 4);
  const at = 3 * length;
  for (let n = at + 300; n < at + length - 300; n++) near(fast[n + length], fast[n]!, 1e-6);
});

test('the low cut of the roll takes low frequencies', () => {
  const rig = new EffectRig(22_050);
  rig.slot.set(effectOf('roll', { Division: 0, 'Low cut': 1000 }, { beats: 1, wet: 1 }));
  const { left } = rig.render(44_100, sine(50));
  assert.ok(levelOf(left, 22_050) < 0.1 * 0.354);
});
