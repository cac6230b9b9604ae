import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EffectRig, effectOf, levelOf, sine } from '../testing/effect-rig.ts';
import { near } from '../testing/near.ts';
import type { EffectSetting } from './effect-kernel.ts';

/** Returns the gain of an effect at a frequency, in dB. */
function gainDb(setting: EffectSetting, hz: number): number {
  const rig = new EffectRig(44_100);
  rig.slot.set(setting);
  const { left } = rig.render(35_280, sine(hz));
  return 20 * Math.log10(levelOf(left, 17_640, 35_280) / (0.5 * Math.SQRT1_2));
}

/** Returns the frequency of the deepest notch around `hz` and its gain. */
function notchNear(setting: EffectSetting, hz: number, ratio: number): { hz: number; db: number } {
  const tried = Array.from({ length: 41 }, (_, index) => hz * ratio ** ((index - 20) / 20));
  return tried
    .map((frequency) => ({ hz: frequency, db: gainDb(setting, frequency) }))
    .reduce((deepest, one) => (one.db < deepest.db ? one : deepest));
}

test('the flanger has notches at odd multiples of half the inverse of its delay', (t) => {
  const setting = effectOf('flanger', { Depth: 0, Delay: 1, Feedback: 0, Spread: 0 }, { wet: 0.5 });
  for (const order of [1, 3, 5]) {
    const notch = notchNear(setting, 500 * order, 1.05);
    t.diagnostic(`notch ${notch.hz.toFixed(0)} Hz ${notch.db.toFixed(1)} dB`);
    assert.ok(Math.abs(notch.hz / (500 * order) - 1) < 0.006, `${notch.hz} Hz`);
    assert.ok(notch.db < -24, `${notch.db} dB`);
  }
  near(gainDb(setting, 1000), 0, 0.2);
});

test('the delay of the flanger lies between samples', () => {
  // 1.5 samples more move the first notch by 3.3 %.
  const delayMs = 1000 * (45.6 / 44_100);
  const notch = notchNear(
    effectOf('flanger', { Depth: 0, Delay: delayMs, Feedback: 0, Spread: 0 }, { wet: 0.5 }),
    22_050 / 45.6,
    1.05,
  );
  assert.ok(Math.abs(notch.hz / (22_050 / 45.6) - 1) < 0.006, `${notch.hz} Hz`);
});

test('the sweep of the flanger has the length of its time in beats, and the sides are apart by the spread', () => {
  const setting = effectOf('flanger', { Depth: 0.8, Delay: 2, Feedback: 0, Spread: 1 }, { beats: 1, wet: 1 });
  const rig = new EffectRig(22_050);
  rig.slot.set(setting);
  // Half a beat is 110 periods of the tone, so only the sweep can make a difference.
  const { left, right } = rig.render(88_200, sine(440));
  const apart = (one: Float32Array, other: Float32Array, frames: number) => {
    let most = 0;
    for (let n = 30_000; n < 60_000; n++) most = Math.max(most, Math.abs(one[n + frames]! - other[n]!));
    return most;
  };
  assert.ok(apart(left, left, 22_050) < 0.01, `a sweep later ${apart(left, left, 22_050)}`);
  assert.ok(apart(left, left, 11_025) > 0.1, `half a sweep later ${apart(left, left, 11_025)}`);
  assert.ok(apart(right, left, 11_025) < 0.01, `the right side ${apart(right, left, 11_025)}`);
});

test('the phaser has three notches where six all-pass stages turn the phase by 180°', (t) => {
  const centre = 800;
  const setting = effectOf('phaser', { Depth: 0, Centre: centre, Feedback: 0, Spread: 0 }, { wet: 0.5 });
  // Stages of corner f turn by 2·atan(tan(π·f'/rate) / tan(π·f/rate)): 30°, 90° and 150° each at the notches.
  const warp = (hz: number) => Math.tan((Math.PI * hz) / 44_100);
  for (const degrees of [30, 90, 150]) {
    const expected = (44_100 / Math.PI) * Math.atan(warp(centre) * Math.tan((degrees * Math.PI) / 360));
    const notch = notchNear(setting, expected, 1.05);
    t.diagnostic(`notch ${notch.hz.toFixed(0)} Hz (${expected.toFixed(0)}) ${notch.db.toFixed(1)} dB`);
    assert.ok(Math.abs(notch.hz / expected - 1) < 0.006, `${notch.hz} Hz instead of ${expected}`);
    assert.ok(notch.db < -24, `${notch.db} dB`);
  }
});

test('an all-pass chain changes no level by itself', () => {
  const setting = effectOf('phaser', { Depth: 0, Feedback: 0 }, { wet: 1 });
  for (const hz of [100, 800, 3000, 12_000]) near(gainDb(setting, hz), 0, 0.05);
});

test('the filter passes below, around and above its cutoff, by its mode', () => {
  const at = (mode: number, hz: number) =>
    gainDb(effectOf('filter', { Cutoff: 1000, Depth: 0, Resonance: 0, Mode: mode }, { wet: 1 }), hz);
  near(at(0, 100), 0, 0.3);
  near(at(0, 1000), -3, 0.3);
  assert.ok(at(0, 8000) < -34);
  near(at(1, 1000), 0, 0.3);
  assert.ok(at(1, 100) < -15 && at(1, 10_000) < -15);
  near(at(2, 12_000), 0, 0.3);
  assert.ok(at(2, 125) < -34);
  const resonant = effectOf('filter', { Cutoff: 1000, Depth: 0, Resonance: 1, Mode: 0 }, { wet: 1 });
  near(gainDb(resonant, 1000), 14, 0.5);
});

test('the filter sweeps by its depth once in its time', () => {
  const rig = new EffectRig(22_050);
  rig.slot.set(effectOf('filter', { Cutoff: 1000, Depth: 4, Resonance: 0, Mode: 0 }, { beats: 4, wet: 1 }));
  const { left } = rig.render(88_200, sine(2000));
  // At a quarter of the sweep the cutoff is at 4 kHz, at three quarters at 250 Hz.
  near(20 * Math.log10(levelOf(left, 21_050, 23_050) / 0.3536), -0.3, 0.3);
  near(20 * Math.log10(levelOf(left, 65_150, 67_150) / 0.3536), -36.3, 1);
});
