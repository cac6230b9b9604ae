import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { effectTypes } from '@stem-studio/contract/decks/effects';
import {
  EffectRig,
  effectOf,
  impulseAt,
  largestStep,
  levelOf,
  noise,
  silence,
  sine,
} from '../testing/effect-rig.ts';

const tone = sine(220, 0.4);
const dryStep = largestStep(Float32Array.from({ length: 2000 }, (_, n) => tone(n)));
/** Types whose wet signal of a tone is a tone: the steps of a bitcrusher are its purpose. */
const smooth = effectTypes.filter((type) => type !== 'bitcrusher');

test('an effect that is off passes every sample unchanged, and so does one without wet signal', () => {
  const input = noise();
  for (const type of effectTypes) {
    for (const changes of [{ isOn: false }, { wet: 0 }]) {
      const rig = new EffectRig();
      rig.slot.set(effectOf(type, {}, changes));
      const { left } = rig.render(44_100, input);
      for (let n = 0; n < left.length; n++) assert.equal(left[n], Math.fround(input(n)), `${type} at ${n}`);
    }
  }
});

test('the dry signal has no latency', () => {
  for (const type of effectTypes) {
    const rig = new EffectRig();
    rig.slot.set(effectOf(type, {}, { wet: 0.25 }));
    rig.render(1280, silence);
    const { left } = rig.render(128, impulseAt(1280));
    assert.ok(Math.abs(left[0]!) >= 0.75, `${type}: ${left[0]}`);
  }
});

test('turning an effect on and off makes no step larger than those of the signals', () => {
  for (const type of smooth) {
    const rig = new EffectRig();
    const setting = effectOf(type, {}, { wet: 1 });
    rig.render(5000, tone);
    rig.slot.set(setting);
    const on = rig.render(44_100, tone).left;
    const steady = rig.render(44_100, tone).left;
    rig.slot.set({ ...setting, isOn: false });
    const off = rig.render(44_100, tone).left;
    // Dry and wet signal may overlap; a ramp of 10 ms adds a step of 0.001.
    const bound = 1.2 * (dryStep + largestStep(steady));
    assert.ok(largestStep(on) < bound, `${type} on: ${largestStep(on)} of ${bound}`);
    assert.ok(largestStep(off) < bound, `${type} off: ${largestStep(off)} of ${bound}`);
  }
});

test('another type makes no step, and the tail of the earlier one rings out', () => {
  for (const before of smooth)
    for (const type of smooth) {
      const rig = new EffectRig();
      rig.slot.set(effectOf(before));
      const first = largestStep(rig.render(44_100, tone).left);
      rig.slot.set(effectOf(type));
      const changed = largestStep(rig.render(4410, tone).left);
      const second = largestStep(rig.render(44_100, tone).left);
      const bound = 1.2 * (first + second);
      assert.ok(changed < bound, `${before} to ${type}: ${changed} of ${bound}`);
    }
  const rig = new EffectRig();
  rig.slot.set(effectOf('echo', { Feedback: 0.8 }));
  rig.render(44_100, tone);
  rig.slot.set(effectOf('gate', { Open: 0.95 }));
  rig.render(1280, silence);
  assert.ok(levelOf(rig.render(44_100, silence).left) > 0.05);
});

test('moving every parameter makes no step', () => {
  for (const type of smooth) {
    const rig = new EffectRig();
    const slow = effectOf(type, {}, { wet: 0.5 });
    rig.slot.set(slow);
    const steady = largestStep(rig.render(44_100, tone).left);
    let most = 0;
    for (let round = 0; round < 12; round++) {
      const values = slow.values.map((value, index) =>
        round % 2 === 0 && index === (round >> 1) % 4 ? value * 0.6 : value,
      );
      rig.slot.set({ ...slow, wet: round % 3 === 0 ? 0.8 : 0.5, values });
      most = Math.max(most, largestStep(rig.render(4480, tone).left));
    }
    const bound = 2 * (steady + dryStep);
    assert.ok(most < bound, `${type}: ${most} of ${bound}`);
  }
});

test('echo, delay and reverb ring out after they are turned off, then nothing is computed', () => {
  for (const type of ['echo', 'delay', 'reverb'] as const) {
    const rig = new EffectRig();
    const setting = effectOf(type);
    rig.slot.set(setting);
    rig.render(44_100, noise());
    rig.slot.set({ ...setting, isOn: false });
    rig.render(1280, silence);
    const tail = rig.render(22_050, silence).left;
    assert.ok(levelOf(tail) > 0.01, `${type}: ${levelOf(tail)}`);
    for (let second = 0; second < 60 && rig.slot.isActive; second++) rig.render(44_100, silence);
    assert.equal(rig.slot.isActive, false, type);
    const last = rig.render(1280, tone, noise());
    for (let n = 0; n < 1280; n++) assert.ok(Number.isFinite(last.left[n]!));
  }
});

test('the output stays finite and the states free of denormal numbers after an hour of fading', () => {
  for (const type of effectTypes) {
    const rig = new EffectRig();
    rig.slot.set(effectOf(type));
    rig.render(22_050, noise());
    const faint = rig.render(44_100, (frame) => 1e-20 * noise()(frame)).left;
    const after = rig.render(44_100, (frame) => 1e-38 * noise()(frame)).left;
    for (const samples of [faint, after])
      assert.ok(
        samples.every((sample) => Number.isFinite(sample)),
        type,
      );
  }
});

test('allocates no array and no object while any effect is on', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const [left, right] = [new Float32Array(128), new Float32Array(128)];
  const input = Float32Array.from({ length: 128 }, (_, n) => noise()(n));
  for (const type of effectTypes) {
    const rig = new EffectRig();
    rig.slot.set(effectOf(type));
    const play = (blocks: number) => {
      for (let block = 0; block < blocks; block++) {
        left.set(input);
        right.set(input);
        rig.slot.process(left, right, 128, rig.clock);
        rig.clock.advance(128);
      }
    };
    play(3000);
    // The compiler may still be at work in one of the rounds; what the code allocates, it allocates in each.
    const rounds = Array.from({ length: 5 }, () => {
      collect();
      const before = process.memoryUsage().heapUsed;
      play(1000);
      return (process.memoryUsage().heapUsed - before) / 1000;
    });
    const bytes = Math.min(...rounds);
    // Numbers that the engine boxes take some bytes; a block of samples would take 512.
    assert.ok(bytes < 400, `${type}: ${bytes} bytes a block`);
  }
});
