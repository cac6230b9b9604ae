import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DjEngine } from '../dj-engine/dj-engine.ts';
import { DjEngineRig } from '../testing/dj-engine-rig.ts';
import { near } from '../testing/near.ts';
import { MicrophoneChannel } from './microphone-channel.ts';
import type { MicrophoneSetting } from './microphone-messages.ts';

const RATE_HZ = 44_100;
const resting: MicrophoneSetting = {
  isOn: true,
  gain: 1,
  hasLowCut: false,
  isTalkOver: false,
  thresholdDb: -36,
  depthDb: -12,
  attackMs: 50,
  releaseMs: 500,
  isRecorded: true,
};

function sine(hz: number, frames: number, peak = 0.25): Float32Array {
  return Float32Array.from({ length: frames }, (_, n) => peak * Math.sin((2 * Math.PI * hz * n) / RATE_HZ));
}

/** Runs a channel over an input; returns its speech and the gain of the music. */
function runChannel(setting: Partial<MicrophoneSetting>, input: Float32Array) {
  const channel = new MicrophoneChannel(RATE_HZ);
  channel.set({ ...resting, ...setting });
  const speech = new Float32Array(input.length);
  const gains = new Float32Array(input.length);
  for (let at = 0; at + 128 <= input.length; at += 128) {
    channel.process(input, at, 128);
    speech.set(channel.speech, at);
    gains.set(channel.duckGains, at);
  }
  return { speech, gains, channel };
}

const peakOf = (samples: Float32Array) =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
const db = (ratio: number) => 20 * Math.log10(ratio);

test('passes the speech at its gain, and nothing while it is off', () => {
  const { speech, channel } = runChannel({ gain: 2 }, sine(500, 12_800));
  near(peakOf(speech.subarray(6_400)), 0.5, 1e-3);
  near(channel.report().peak, 0.5, 1e-3);
  const off = runChannel({ isOn: false }, sine(500, 12_800));
  assert.equal(peakOf(off.speech), 0);
  assert.equal(off.channel.isActive, false);
});

test('the low-cut removes rumble and keeps the speech', () => {
  const rumble = runChannel({ hasLowCut: true }, sine(40, 44_032)).speech.subarray(22_016);
  assert.ok(db(peakOf(rumble) / 0.25) < -28, `${db(peakOf(rumble) / 0.25)} dB at 40 Hz`);
  const speech = runChannel({ hasLowCut: true }, sine(300, 44_032)).speech.subarray(22_016);
  near(db(peakOf(speech) / 0.25), 0, 0.2);
});

test('turns the music down while somebody speaks, and up again after a pause', () => {
  const speech = new Float32Array(5 * RATE_HZ);
  speech.set(sine(200, 2 * RATE_HZ, 0.1), RATE_HZ);
  const { gains, channel } = runChannel({ isTalkOver: true }, speech);
  const at = (seconds: number) => db(gains[Math.round(seconds * RATE_HZ)]!);
  assert.equal(at(0.99), 0);
  // 95 % of the way after the attack time, of which the level needs some milliseconds.
  assert.ok(at(1.02) < -1 && at(1.02) > -12);
  near(at(1.09), -12, 0.8);
  near(at(2.9), -12, 0.01);
  // Held over short pauses, then released.
  near(at(3.3), -12, 0.01);
  assert.ok(at(3.6) > -12 && at(3.6) < -1);
  near(at(4.2), 0, 0.6);
  near(db(channel.report().duckGain), -12, 0.01);
  const steps = gains.subarray(1, 128 * 1_700).map((gain, n) => gain - gains[n]!);
  assert.ok(peakOf(steps) < 0.002, `a step of ${peakOf(steps)}`);
});

test('speech below the threshold, or without talk-over, leaves the music as it is', () => {
  const quiet = runChannel({ isTalkOver: true }, sine(200, 44_032, 0.005));
  assert.ok(quiet.gains.every((gain) => gain === 1));
  const plain = runChannel({}, sine(200, 44_032, 0.5));
  assert.ok(plain.gains.every((gain) => gain === 1));
});

/** Renders music at 0.25 with speech at 0.125; returns the master and what is recorded of it. */
function mixOf(setting: Partial<MicrophoneSetting>, seconds: number) {
  const rig = new DjEngineRig(RATE_HZ);
  rig.load('a', { frames: 20 * RATE_HZ, sources: [() => 0.25] });
  rig.play('a');
  const engine: DjEngine = rig.kernel;
  engine.apply({ type: 'microphone', setting: { ...resting, ...setting } });
  const recorded: number[] = [];
  engine.recorder.onChunk = ({ samples }) => recorded.push(...samples.filter((_, n) => n % 2 === 0));
  engine.apply({ type: 'record', isOn: true });
  const master: number[] = [];
  const speech = new Float32Array(128).fill(0.125);
  const [left, right] = [new Float32Array(128), new Float32Array(128)];
  const head = new Float32Array(128);
  for (let at = 0; at < seconds * RATE_HZ; at += 128) {
    engine.process(left, right, head, head, 128, speech);
    master.push(...left);
  }
  engine.apply({ type: 'record', isOn: false });
  return { master, recorded };
}

test('the speech goes to the master, and by choice into the recording', () => {
  const both = mixOf({ isTalkOver: true }, 1);
  near(both.master[40_000], 0.25 * 10 ** (-12 / 20) + 0.125, 1e-3);
  assert.deepEqual(both.recorded.slice(0, 44_000), both.master.slice(0, 44_000));
  const apart = mixOf({ isTalkOver: true, isRecorded: false }, 1);
  near(apart.master[40_000], 0.25 * 10 ** (-12 / 20) + 0.125, 1e-3);
  near(apart.recorded[40_000], 0.25, 1e-6);
});
