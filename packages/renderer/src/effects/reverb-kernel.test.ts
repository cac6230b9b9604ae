import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EFFECT_RATE_HZ,
  EffectRig,
  effectOf,
  impulseAt,
  levelOf,
  noise,
  silence,
  sine,
} from '../testing/effect-rig.ts';

const dull = { 'Low cut': 20, 'Pre-delay': 0 };

/**
 * Returns the time to −60 dB in seconds: from the energy that is still to come (Schroeder), between −5 and −35 dB.
 *
 * @see ISO 3382
 */
function decaySeconds(samples: Float32Array): number {
  const left = new Float64Array(samples.length + 1);
  for (let n = samples.length - 1; n >= 0; n--) left[n] = left[n + 1]! + samples[n]! ** 2;
  const at = (db: number) => left.findIndex((energy) => energy < left[0]! * 10 ** (db / 10));
  return (2 * (at(-35) - at(-5))) / EFFECT_RATE_HZ;
}

/** Returns the response after a burst of 0.5 s ends. */
function tailOf(seconds: number, damping: number, burst: (frame: number) => number): Float32Array {
  const rig = new EffectRig();
  rig.slot.set(effectOf('reverb', { Decay: seconds, Damping: damping, ...dull }, { wet: 1 }));
  rig.render(22_016, burst);
  return rig.render(EFFECT_RATE_HZ * seconds * 1.5, silence).left;
}

test('decays by 60 dB in the set time, within 10 %', (t) => {
  for (const seconds of [0.5, 1, 2, 4, 8]) {
    const measured = decaySeconds(tailOf(seconds, 0, noise()));
    t.diagnostic(`${seconds} s: ${measured.toFixed(3)} s`);
    assert.ok(Math.abs(measured / seconds - 1) < 0.1, `${measured} s instead of ${seconds} s`);
  }
});

test('damping shortens the decay of high frequencies and keeps that of low ones', (t) => {
  const low = decaySeconds(tailOf(2, 0.6, sine(150)));
  const high = decaySeconds(tailOf(2, 0.6, sine(8000)));
  t.diagnostic(`150 Hz ${low.toFixed(2)} s, 8 kHz ${high.toFixed(2)} s`);
  assert.ok(Math.abs(low / 2 - 1) < 0.1, `${low} s at 150 Hz`);
  assert.ok(high < 1.3, `${high} s at 8 kHz`);
});

test('an impulse becomes dense, and different on both sides', () => {
  const rig = new EffectRig();
  rig.slot.set(effectOf('reverb', { Decay: 3, Damping: 0.2, ...dull }, { wet: 1 }));
  rig.render(1280, silence);
  const { left, right } = rig.render(44_100, impulseAt(1280));
  // In 20 ms after 100 ms nearly every sample belongs to a reflection.
  const dense = left.subarray(4410, 5292);
  const level = levelOf(dense);
  const share = dense.filter((sample) => Math.abs(sample) > level / 30).length / dense.length;
  assert.ok(share > 0.9, `${share} of the samples`);
  let product = 0;
  for (let n = 4410; n < 44_100; n++) product += left[n]! * right[n]!;
  const correlation = product / (39_690 * levelOf(left, 4410, 44_100) * levelOf(right, 4410, 44_100));
  assert.ok(Math.abs(correlation) < 0.3, `correlation ${correlation}`);
});

test('the pre-delay moves the first reflection, and the low cut takes low frequencies', () => {
  const first = (preDelay: number) => {
    const rig = new EffectRig();
    rig.slot.set(effectOf('reverb', { ...dull, 'Pre-delay': preDelay }, { wet: 1 }));
    rig.render(1280, silence);
    return rig.render(44_100, impulseAt(1280)).left.findIndex((sample) => Math.abs(sample) > 1e-6);
  };
  assert.equal(first(100) - first(0), 4410);
  const levelAt = (lowCut: number) => {
    const rig = new EffectRig();
    rig.slot.set(effectOf('reverb', { 'Pre-delay': 0, 'Low cut': lowCut }, { wet: 1 }));
    return levelOf(rig.render(44_100, sine(60)).left, 22_050);
  };
  assert.ok(levelAt(1000) < 0.2 * levelAt(20));
});
