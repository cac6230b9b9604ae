import assert from 'node:assert/strict';
import { test } from 'node:test';
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
import { near } from '../testing/near.ts';

const open = { 'Low cut': 20, 'High cut': 20_000 };
/** Samples after which the effect is on and its input is open. */
const ON = 1024;

/** Returns the positions of samples above `level`. */
function peaksAbove(samples: Float32Array, level: number): number[] {
  return [...samples.keys()].filter((n) => Math.abs(samples[n]!) > level);
}

test('echoes repeat at the sample that the time in beats stands for, each weaker by the feedback', () => {
  const rig = new EffectRig(22_050);
  rig.slot.set(effectOf('echo', { Feedback: 0.6, ...open }, { beats: 1 / 2, wet: 0.5 }));
  const { left } = rig.render(ON + 60_000, impulseAt(ON));
  assert.deepEqual(
    peaksAbove(left, 0.1),
    [0, 1, 2, 3, 4, 5].map((repeat) => ON + repeat * 11_025).filter((at) => at < left.length),
  );
  near(left[ON], 1, 1e-6);
  near(left[ON + 11_025], 1, 1e-6);
  for (const repeat of [2, 3, 4])
    near(left[ON + repeat * 11_025]! / left[ON + (repeat - 1) * 11_025]!, 0.6, 0.005);
});

test('without a grid the time is in ms, and at a slow tempo it is halved until it fits', () => {
  const free = new EffectRig(null);
  free.slot.set(effectOf('echo', { Feedback: 0, ...open }, { beats: 1, ms: 250 }));
  assert.deepEqual(peaksAbove(free.render(ON + 20_000, impulseAt(ON)).left, 0.1), [ON, ON + 11_025]);
  const slow = new EffectRig(88_200);
  slow.slot.set(effectOf('echo', { Feedback: 0, ...open }, { beats: 16 }));
  assert.deepEqual(peaksAbove(slow.render(ON + 200_000, impulseAt(ON)).left, 0.1), [ON, ON + 176_400]);
});

test('the ping-pong delay repeats on the left and on the right in turn, the plain one in place', () => {
  const rig = new EffectRig(22_050);
  const setting = { Feedback: 0.5, ...open };
  rig.slot.set(effectOf('delay', { ...setting, 'Ping-pong': 1 }, { beats: 1 }));
  const crossed = rig.render(ON + 70_000, silence, impulseAt(ON));
  assert.deepEqual(peaksAbove(crossed.left, 0.05), [ON + 22_050, ON + 66_150]);
  assert.deepEqual(peaksAbove(crossed.right, 0.05), [ON, ON + 44_100]);
  const plain = new EffectRig(22_050);
  plain.slot.set(effectOf('delay', { ...setting, 'Ping-pong': 0 }, { beats: 1 }));
  const straight = plain.render(ON + 50_000, silence, impulseAt(ON));
  assert.deepEqual(peaksAbove(straight.left, 1e-6), []);
  assert.deepEqual(peaksAbove(straight.right, 0.05), [ON, ON + 22_050, ON + 44_100]);
});

test('low cut and high cut take more from each repeat', () => {
  const levels = (hz: number) => {
    const rig = new EffectRig(22_050);
    rig.slot.set(effectOf('echo', { Feedback: 0.9, 'Low cut': 400, 'High cut': 2000 }, { beats: 1, wet: 1 }));
    const burst = (frame: number) => (frame < 11_025 ? sine(hz)(frame) : 0);
    const { left } = rig.render(100_000, burst);
    return [1, 2, 3].map((repeat) => levelOf(left, repeat * 22_050 + 2000, repeat * 22_050 + 10_000));
  };
  const [low, middle, high] = [levels(60), levels(1000), levels(9000)].map(
    ([, two = 0, three = 1]) => three / two,
  );
  assert.ok(low! < 0.2, `60 Hz keeps ${low}`);
  assert.ok(middle! > 0.65 && middle! < 0.9, `1 kHz keeps ${middle}`);
  assert.ok(high! < 0.3, `9 kHz keeps ${high}`);
});

test('stays bounded at full feedback, decays when the input ends, and stops being computed', () => {
  const rig = new EffectRig(11_025);
  rig.slot.set(effectOf('echo', { Feedback: 0.98, ...open }, { beats: 1 / 4, wet: 1 }));
  const { left } = rig.render(441_000, noise());
  const bound = 0.5 / (1 - 0.98);
  assert.ok(left.every((sample) => Math.abs(sample) <= bound));
  rig.slot.set(effectOf('echo', { Feedback: 0.98, ...open }, { beats: 1 / 4, wet: 1, isOn: false }));
  const ringing = rig.render(44_100, silence).left;
  assert.ok(levelOf(ringing) > 0.1, `${levelOf(ringing)}`);
  for (let second = 0; second < 120 && rig.slot.isActive; second++) rig.render(44_100, silence);
  assert.equal(rig.slot.isActive, false);
});

test('another time fades in without a step and without a change of pitch', () => {
  const rig = new EffectRig(22_050);
  const tone = sine(300);
  rig.slot.set(effectOf('echo', { Feedback: 0.3, ...open }, { beats: 1, wet: 1 }));
  rig.render(66_150, tone);
  rig.slot.set(effectOf('echo', { Feedback: 0.3, ...open }, { beats: 3 / 4, wet: 1 }));
  const { left } = rig.render(44_100, tone);
  const dry = Float32Array.from({ length: 2000 }, (_, n) => tone(n));
  assert.ok(largestStep(left) < 2 * largestStep(dry), `${largestStep(left)} ${largestStep(dry)}`);
});

test('audio from before it was turned off does not return later', () => {
  const rig = new EffectRig(22_050);
  const setting = effectOf('echo', { Feedback: 0, ...open }, { beats: 1, wet: 1 });
  rig.slot.set(setting);
  rig.render(22_050, noise());
  rig.slot.set({ ...setting, isOn: false });
  while (rig.slot.isActive) rig.render(1280, silence);
  rig.slot.set({ ...setting, beats: 4 });
  assert.ok(rig.render(176_400, silence).left.every((sample) => sample === 0));
});
