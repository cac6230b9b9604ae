import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngineRig } from '../testing/dj-engine-rig.ts';
import { near } from '../testing/near.ts';
import { prepareSample } from './prepare-sample.ts';
import type { PadSample, PadSetting, SamplerCommand } from './sampler-messages.ts';
import { restingPad } from './sampler-pad.ts';

const RATE_HZ = 44_100;
/** Beats of 120 bpm, the first one at no whole block. */
const FIRST_BEAT = 0.303;
const beats = Array.from({ length: 60 }, (_, beat) => FIRST_BEAT + beat / 2);
const downbeats = beats.filter((_, beat) => beat % 4 === 0);

/** A silent song whose beats lead the sampler. */
const silentSong = { frames: 30 * RATE_HZ, sources: [() => 0], beats, downbeats };

function openSampler(): DjEngineRig & { send: (command: SamplerCommand) => void } {
  const rig = new DjEngineRig(RATE_HZ);
  const send = (command: SamplerCommand) => rig.kernel.apply({ type: 'sampler', command });
  return Object.assign(rig, { send });
}

/** Plays a silent song on deck A, which leads. */
function lead(rig: DjEngineRig, rate = 1): void {
  rig.load('a', silentSong);
  if (rate !== 1) rig.tempo('a', rate);
  rig.kernel.apply({ type: 'metronome', isOn: false, volume: 0, output: 'master', leader: 'a' });
  rig.play('a');
}

function mono(samples: Float32Array<ArrayBuffer>, count: number | null = null): PadSample {
  return { left: samples, right: samples, beats: count };
}

/** A constant level: its first and last samples show where it starts and ends. */
function level(frames: number, value = 0.25): Float32Array<ArrayBuffer> {
  return new Float32Array(frames).fill(value);
}

function sine(frames: number, hz: number, peak = 0.25): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: frames }, (_, n) => peak * Math.sin((2 * Math.PI * hz * n) / RATE_HZ));
}

const setting = (changes: Partial<PadSetting>): PadSetting => ({ ...restingPad, ...changes });
const firstAudible = (samples: Float32Array) => samples.findIndex((sample) => Math.abs(sample) > 1e-6);
const largestStep = (samples: Float32Array) =>
  samples.reduce((most, sample, n) => Math.max(most, n === 0 ? 0 : Math.abs(sample - samples[n - 1]!)), 0);

test('plays a sample once, as it is stored, at its gain and the velocity of the press', () => {
  const rig = openSampler();
  const samples = sine(3_000, 441);
  rig.send({ type: 'sample', pad: 2, sample: mono(samples) });
  rig.send({ type: 'pad', pad: 2, setting: setting({ gain: 2 }) });
  rig.send({ type: 'press', pad: 2, velocity: 0.5 });
  const out = rig.renderMaster(6_000);
  assert.ok(samples.every((sample, n) => Math.abs(sample - out[n]!) < 1e-6));
  assert.ok(out.subarray(3_000).every((sample) => sample === 0));
  rig.send({ type: 'press', pad: 7, velocity: 1 });
  assert.equal(firstAudible(rig.renderMaster(512)), -1, 'an empty pad is silent');
});

test('starts on the beat of the leading deck, to the sample', () => {
  for (const rate of [1, 1.07, 0.83]) {
    const rig = openSampler();
    lead(rig, rate);
    rig.send({ type: 'sample', pad: 0, sample: mono(level(2_000)) });
    rig.send({ type: 'pad', pad: 0, setting: setting({ quantize: 'beat' }) });
    rig.render(6_400);
    rig.send({ type: 'press', pad: 0, velocity: 1 });
    assert.equal(rig.report.pads[0]?.state, 'waiting');
    const at = 6_400 + firstAudible(rig.renderMaster(44_100));
    // The deck reaches its speed in its first block.
    near(at, (FIRST_BEAT * RATE_HZ) / rate, rate === 1 ? 1 : 64);
  }
  const rig = openSampler();
  lead(rig);
  rig.send({ type: 'sample', pad: 0, sample: mono(level(2_000)) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ quantize: 'bar' }) });
  rig.render(22_016);
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  const at = 22_016 + firstAudible(rig.renderMaster(3 * RATE_HZ));
  assert.equal(at, Math.ceil((FIRST_BEAT + 2) * RATE_HZ));
});

test('starts on the beat across the end of a loop of the leading deck', () => {
  const rig = openSampler();
  lead(rig);
  // A loop of one beat: the next beat is at its start.
  rig.loop('a', (FIRST_BEAT + 0.5) * RATE_HZ, (FIRST_BEAT + 1) * RATE_HZ);
  rig.send({ type: 'sample', pad: 0, sample: mono(level(2_000)) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ quantize: 'beat' }) });
  const before = 128 * Math.floor(((FIRST_BEAT + 0.75) * RATE_HZ) / 128);
  rig.render(before);
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  near(before + firstAudible(rig.renderMaster(RATE_HZ)), (FIRST_BEAT + 1) * RATE_HZ, 1);
});

test('a press just after the beat starts at once, where the sample would be by now', () => {
  const rig = openSampler();
  lead(rig);
  const ramp = Float32Array.from({ length: 20_000 }, (_, n) => n / 40_000);
  rig.send({ type: 'sample', pad: 0, sample: mono(ramp) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ quantize: 'beat' }) });
  const pressed = 128 * Math.ceil(((FIRST_BEAT + 0.03) * RATE_HZ) / 128);
  rig.render(pressed);
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  const out = rig.renderMaster(4_096);
  const late = pressed - FIRST_BEAT * RATE_HZ;
  near(out[1_000]! * 40_000, late + 1_000, 2);
});

test('starts at once while no deck leads, and when the leading deck stops', () => {
  const rig = openSampler();
  rig.send({ type: 'sample', pad: 0, sample: mono(level(2_000)) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ quantize: 'beat' }) });
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  assert.equal(firstAudible(rig.renderMaster(512)), 0);
  rig.render(4_096);
  lead(rig);
  rig.render(6_400);
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  rig.render(1_280);
  assert.equal(rig.report.pads[0]?.state, 'waiting');
  rig.pause('a');
  assert.ok(firstAudible(rig.render(25_600).master) >= 0);
});

test('a held pad sounds while it is held, and stops without a click', () => {
  const rig = openSampler();
  rig.send({ type: 'sample', pad: 0, sample: mono(sine(44_100, 220)) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ mode: 'hold' }) });
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  const held = rig.renderMaster(10_000);
  assert.ok(Math.max(...held.subarray(9_000)) > 0.2);
  rig.send({ type: 'release', pad: 0 });
  const released = rig.render(4_096).master;
  assert.ok(largestStep(released) < 0.012, `a step of ${largestStep(released)}`);
  assert.ok(released.subarray(600).every((sample) => sample === 0));
  assert.equal(rig.report.pads[0]?.state, 'idle');
});

test('a loop repeats without a gap until the next press', () => {
  const rig = openSampler();
  const samples = Float32Array.from({ length: 1_000 }, (_, n) => 0.1 + n / 10_000);
  rig.send({ type: 'sample', pad: 0, sample: mono(samples) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ mode: 'loop' }) });
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  const out = rig.renderMaster(10_000);
  for (const n of [0, 999, 1_000, 5_500, 9_999]) near(out[n], samples[n % 1_000]!, 1e-6);
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  rig.render(1_024);
  assert.equal(firstAudible(rig.render(4_096).master), -1);
});

test('a press of a playing pad starts it again, and the last sound fades out', () => {
  const rig = openSampler();
  rig.send({ type: 'sample', pad: 0, sample: mono(sine(44_100, 110)) });
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  rig.render(10_240);
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  const out = rig.render(4_096).master;
  assert.ok(largestStep(out) < 0.01, `a step of ${largestStep(out)}`);
});

test('pads of one group stop each other at the sample where the other starts', () => {
  const rig = openSampler();
  lead(rig);
  rig.send({ type: 'sample', pad: 0, sample: mono(level(4 * RATE_HZ)) });
  rig.send({ type: 'sample', pad: 1, sample: mono(level(200, 0)) });
  rig.send({ type: 'sample', pad: 2, sample: mono(level(4 * RATE_HZ, 0.125)) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ chokeGroup: 1 }) });
  rig.send({ type: 'pad', pad: 1, setting: setting({ chokeGroup: 1, quantize: 'beat' }) });
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  rig.send({ type: 'press', pad: 2, velocity: 1 });
  rig.render(6_400);
  rig.send({ type: 'press', pad: 1, velocity: 1 });
  const out = rig.renderMaster(44_100);
  const at = 6_400 + out.findIndex((sample) => sample < 0.374);
  near(at, FIRST_BEAT * RATE_HZ, 20);
  near(out[20_000], 0.125, 1e-6);
});

/** Frequency of a tone by its zero crossings. */
function frequencyOf(samples: Float32Array): number {
  let crossings = 0;
  for (let n = 1; n < samples.length; n++) if (samples[n - 1]! < 0 && samples[n]! >= 0) crossings++;
  return (crossings * RATE_HZ) / samples.length;
}

test('follows the tempo of the leading deck, by varispeed or key lock', () => {
  for (const [tempo, hz] of [
    ['recorded', 440],
    ['varispeed', 440 * 1.1],
    ['key-lock', 440],
  ] as const) {
    const rig = openSampler();
    lead(rig, 1.1);
    // Four beats of 120 bpm.
    rig.send({ type: 'sample', pad: 0, sample: mono(sine(2 * RATE_HZ, 440), 4) });
    rig.send({ type: 'pad', pad: 0, setting: setting({ tempo }) });
    rig.render(12_800);
    rig.send({ type: 'press', pad: 0, velocity: 1 });
    const out = rig.renderMaster(3 * RATE_HZ);
    const seconds = (out.findLastIndex((sample) => Math.abs(sample) > 1e-4) + 1) / RATE_HZ;
    near(seconds, tempo === 'recorded' ? 2 : 2 / 1.1, 0.03);
    near(frequencyOf(out.subarray(8_820, 8_820 + RATE_HZ)), hz, 3);
  }
});

test('a loop stays on the beat of a leading deck whose tempo changes', () => {
  const rig = openSampler();
  lead(rig);
  // A click at the start of each of four beats.
  const clicks = new Float32Array(2 * RATE_HZ);
  for (let beat = 0; beat < 4; beat++) clicks.fill(0.5, (beat * RATE_HZ) / 2, (beat * RATE_HZ) / 2 + 40);
  rig.send({ type: 'sample', pad: 0, sample: mono(clicks, 4) });
  rig.send({ type: 'pad', pad: 0, setting: setting({ mode: 'loop', quantize: 'beat', tempo: 'varispeed' }) });
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  for (const rate of [1, 1.06, 0.94, 1.02]) {
    rig.tempo('a', rate);
    rig.render(4 * RATE_HZ);
    const before = rig.frameOf('a');
    const out = rig.renderMaster(RATE_HZ);
    const at = out.findIndex((sample, n) => sample > 0.2 && (out[n - 1] ?? 1) <= 0.2);
    const phase = ((before + at * rate) / RATE_HZ - FIRST_BEAT) / 0.5;
    assert.ok(Math.abs(phase - Math.round(phase)) < 0.01, `at tempo ${rate} by ${phase - Math.round(phase)}`);
    rig.render(128);
  }
});

test('the volume moves the master, and the headphones have the pads while they are cued', () => {
  const rig = openSampler();
  rig.send({ type: 'sample', pad: 0, sample: mono(level(44_100)) });
  rig.send({ type: 'output', volume: 0, isCued: true });
  rig.send({ type: 'press', pad: 0, velocity: 1 });
  rig.render(4_096);
  const { master, headphones } = rig.render(4_096);
  assert.ok(master.every((sample) => sample === 0));
  near(headphones[2_000], 0.25, 1e-6);
});

test('prepares a recorded region: at the rate of the output, with faded ends', () => {
  const left = level(22_050, 0.5);
  const sample = prepareSample({ sampleRateHz: 22_050, left, right: left, beats: 2 }, RATE_HZ);
  assert.equal(sample.left.length, 44_100);
  assert.equal(sample.right, sample.left);
  assert.equal(sample.left[0], 0);
  assert.equal(sample.left.at(-1), 0);
  near(sample.left[20_000], 0.5, 1e-3);
  assert.ok(largestStep(sample.left) < 0.03);
  assert.equal(left[0], 0.5, 'the recorded audio stays as it is');
});

test('captures a region of a deck as it was recorded, or one of its stems', () => {
  const rig = openSampler();
  const captured: { id: number; samples: { left: Float32Array } | null }[] = [];
  rig.kernel.capture.onCaptured = (event) => captured.push(event);
  const song = {
    frames: 10 * RATE_HZ,
    sources: [(n: number) => n / 1e6, (n: number) => (n % 100) / 1_000],
  };
  rig.load('a', song);
  rig.kernel.apply({ type: 'source-gains', deck: 'a', gains: [0.5, 1] });
  const region = { deck: 'a', startFrame: 100_000, endFrame: 150_000 } as const;
  rig.kernel.apply({ type: 'capture', id: 1, source: null, ...region });
  rig.render(4_096);
  rig.kernel.apply({ type: 'capture', id: 2, source: 1, ...region });
  rig.render(4_096);
  assert.deepEqual(
    captured.map(({ id, samples }) => [id, samples?.left.length]),
    [
      [1, 50_000],
      [2, 50_000],
    ],
  );
  near(captured[0]!.samples!.left[777], 100_777 / 1e6 + 0.077, 1e-6);
  near(captured[1]!.samples!.left[777], 0.077, 1e-6);
  rig.load('b', song, { isWhole: false });
  rig.kernel.apply({ type: 'capture', id: 3, source: null, ...region, deck: 'b' });
  assert.equal(captured[2]?.samples, null);
});
