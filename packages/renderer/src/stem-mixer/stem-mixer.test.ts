import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITER_CEILING } from '../gain/safety-limiter.ts';
import { CHUNK_FRAMES } from '../sources/chunk.ts';
import { near } from '../testing/near.ts';
import { StemMixer } from './stem-mixer.ts';

const RATE_HZ = 44_100;
const FADE_FRAMES = 220;

/** A mixer of mono stems whose samples are a function of the frame. */
function mixerOf(frames: number, ...stems: ((frame: number) => number)[]): StemMixer {
  const mixer = new StemMixer(RATE_HZ);
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems: stems.map(() => ({ frames, channels: 1 })) });
  stems.forEach((sampleAt, stem) => {
    for (let index = 0; index * CHUNK_FRAMES < frames; index++) load(mixer, stem, index, sampleAt);
  });
  return mixer;
}

function load(mixer: StemMixer, stem: number, index: number, sampleAt: (frame: number) => number): void {
  const samples = Float32Array.from({ length: CHUNK_FRAMES }, (_, i) => sampleAt(index * CHUNK_FRAMES + i));
  mixer.apply({ type: 'chunk', stem, index, samples });
}

/** Renders `frames` samples of output, left channel, with the limiter’s delay. */
function render(mixer: StemMixer, frames: number): Float32Array {
  const out = new Float32Array(Math.ceil(frames / 128) * 128);
  for (let at = 0; at < out.length; at += 128) {
    mixer.process(out.subarray(at, at + 128), new Float32Array(128), 128);
  }
  return out;
}

test('all stems play from the same sample on', () => {
  // A ramp and its negative cancel exactly only where both are read at one position.
  const mixer = mixerOf(
    100_000,
    (n) => n / 200_000,
    (n) => -n / 200_000,
  );
  mixer.apply({ type: 'play', id: 1 });
  assert.ok(render(mixer, 90_000).every((sample) => sample === 0));
  assert.equal(mixer.transport, 'playing');
});

test('the output is the song, sample for sample', () => {
  const song = (n: number) => Math.fround(Math.sin(n * 0.05) * 0.5);
  const mixer = mixerOf(200_000, song);
  mixer.apply({ type: 'play', id: 1 });
  const out = render(mixer, 150_000);
  for (let n = FADE_FRAMES + 1; n < 149_000; n += 7) {
    assert.equal(out[n + mixer.delayFrames], song(n), `sample ${n}`);
  }
});

test('a loop lasts exactly its length and its boundary does not click', () => {
  const start = 10_000;
  const end = 30_000;
  const mixer = mixerOf(100_000, (n) => (n < 20_000 ? 0.5 : -0.5));
  mixer.apply({ type: 'loop', loop: { startFrame: start, endFrame: end } });
  mixer.apply({ type: 'seek', frame: 29_000, id: 1 });
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 128 * 200);
  assert.equal(mixer.position, start + ((29_000 + 128 * 200 - end) % (end - start)));

  mixer.apply({ type: 'seek', frame: 29_000, id: 1 });
  const seam = render(mixer, 2_000).subarray(600);
  let steepest = 0;
  for (let n = 1; n < seam.length; n++)
    steepest = Math.max(steepest, Math.abs((seam[n] ?? 0) - (seam[n - 1] ?? 0)));
  // From −0.5 to 0.5 no steeper than a line over 220 samples.
  assert.ok(steepest <= 1.01 / FADE_FRAMES, `steepest step ${steepest}`);
  assert.ok(seam.some((sample) => sample < -0.49) && seam.some((sample) => sample > 0.49));
});

test('a muted stem is silent after 10 ms and leaves the others alone', () => {
  const mixer = mixerOf(
    100_000,
    () => 0.25,
    () => 0.5,
  );
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 4_096);
  mixer.apply({ type: 'gains', gains: [0, 1] });
  const out = render(mixer, 4_096);
  const steps = [...out].slice(1).map((sample, n) => Math.abs(sample - (out[n] ?? 0)));
  assert.ok(Math.max(...steps) < 0.25 / 400, 'a fader moves smoothly');
  assert.ok(out.subarray(441 + mixer.delayFrames).every((sample) => Math.abs(sample - 0.5) < 1e-6));
});

test('pauses all stems while one has not arrived, and resumes from the same sample', () => {
  const mixer = new StemMixer(RATE_HZ);
  const frames = 3 * CHUNK_FRAMES;
  const ramp = (n: number) => (n / frames) * 0.4;
  const shape = { frames, channels: 1 };
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems: [shape, shape] });
  load(mixer, 0, 0, ramp);
  load(mixer, 0, 1, ramp);
  load(mixer, 1, 0, ramp);
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 2 * CHUNK_FRAMES);
  assert.equal(mixer.transport, 'buffering');
  assert.ok(mixer.position <= CHUNK_FRAMES, `stands at ${mixer.position}`);
  assert.ok(mixer.position > CHUNK_FRAMES - 600, 'plays what it has');
  const waitedAt = mixer.position;
  assert.ok(
    render(mixer, 2_048)
      .subarray(256)
      .every((sample) => sample === 0),
  );
  assert.equal(mixer.position, waitedAt);

  load(mixer, 1, 1, ramp);
  const out = render(mixer, 4_096);
  assert.equal(mixer.transport, 'playing');
  const sample = out[2_000 + mixer.delayFrames] ?? 0;
  near(sample, 2 * ramp(waitedAt + 2_000), 1e-6);
});

test('a seek to a missing chunk waits there silently', () => {
  const mixer = new StemMixer(RATE_HZ);
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems: [{ frames: 4 * CHUNK_FRAMES, channels: 1 }] });
  load(mixer, 0, 0, () => 0.5);
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 2_048);
  mixer.apply({ type: 'seek', frame: 3 * CHUNK_FRAMES, id: 1 });
  const out = render(mixer, 2_048);
  assert.equal(mixer.position, 3 * CHUNK_FRAMES);
  assert.equal(mixer.transport, 'buffering');
  assert.ok(out.subarray(400).every((sample) => sample === 0));
  load(mixer, 0, 3, () => 0.25);
  near(render(mixer, 2_048)[1_000] ?? 0, 0.25, 1e-6);
});

test('the song ends where its longest stem ends, and plays again from the start', () => {
  const mixer = mixerOf(5_000, () => 0.1);
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 8_000);
  assert.equal(mixer.transport, 'ended');
  assert.equal(mixer.position, 5_000);
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 1_280);
  assert.equal(mixer.position, 1_280);
});

test('a pause fades out and keeps its position', () => {
  const mixer = mixerOf(100_000, () => 0.5);
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 2_560);
  mixer.apply({ type: 'pause', id: 2 });
  render(mixer, 1_280);
  const position = mixer.position;
  near(position - 2_560, FADE_FRAMES, 2);
  assert.ok(render(mixer, 1_280).every((sample) => sample === 0));
  assert.equal(mixer.position, position);
});

test('faders above 100 % never leave the output above full scale', () => {
  const mixer = mixerOf(
    100_000,
    (n) => Math.sin(n * 0.03) * 0.9,
    (n) => Math.sin(n * 0.071) * 0.9,
  );
  mixer.apply({ type: 'gains', gains: [2, 2] });
  mixer.apply({ type: 'play', id: 1 });
  const highest = render(mixer, 60_000).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  assert.ok(highest <= LIMITER_CEILING + 1e-6, `reached ${highest}`);
  assert.ok(highest > 0.9);
});

test('an output of another sample rate plays the song at the same tempo', () => {
  const mixer = new StemMixer(48_000);
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems: [{ frames: CHUNK_FRAMES, channels: 1 }] });
  const tone = (n: number) => 0.5 * Math.sin((2 * Math.PI * 441 * n) / RATE_HZ);
  load(mixer, 0, 0, tone);
  mixer.apply({ type: 'play', id: 1 });
  const out = render(mixer, 9_600);
  near(mixer.position, 8_820, 1e-6);
  for (let n = 1_000; n < 9_000; n += 13) {
    const expected = 0.5 * Math.sin((2 * Math.PI * 441 * n) / 48_000);
    assert.ok(Math.abs((out[n + mixer.delayFrames] ?? 0) - expected) < 2e-4, `sample ${n}`);
  }
});

test('without key lock half the tempo lowers the tone, and back at the recorded tempo the output is the song again', () => {
  const tone = (n: number) => Math.fround(0.5 * Math.sin((2 * Math.PI * 441 * n) / RATE_HZ));
  const mixer = mixerOf(200_000, tone);
  mixer.apply({ type: 'tempo', rate: 0.53, semitones: 0, isKeyLocked: false });
  mixer.apply({ type: 'play', id: 1 });
  const out = render(mixer, 12_801);
  for (let n = 1_000; n < 12_000; n += 13) {
    near(out[n + mixer.delayFrames] ?? 0, 0.5 * Math.sin(0.53 * 0.02 * Math.PI * n), 1e-4);
  }
  mixer.apply({ type: 'tempo', rate: 1, semitones: 0, isKeyLocked: true });
  // From the nearest whole frame on, after a crossfade of 5 ms.
  const from = Math.round(mixer.position);
  const again = render(mixer, 12_800);
  for (let n = FADE_FRAMES; n < 12_000; n += 7) assert.equal(again[n + mixer.delayFrames], tone(from + n));
  for (let n = mixer.delayFrames; n < FADE_FRAMES; n++) {
    // The tone itself moves by 0.032 from one sample to the next.
    near((again[n + 1] ?? 0) - (again[n] ?? 0), 0, 0.05);
  }
});

test('tempo and pitch are independent, and the position follows the tempo alone', () => {
  const mixer = mixerOf(400_000, (n) => 0.5 * Math.sin((2 * Math.PI * 441 * n) / RATE_HZ));
  for (const [rate, semitones, hz] of [
    [0.8, 0, 441],
    [1.25, 0, 441],
    [1, 12, 882],
    [1, 0, 441],
  ] as const) {
    mixer.apply({ type: 'tempo', rate, semitones, isKeyLocked: true });
    mixer.apply({ type: 'seek', frame: 20_000, id: 1 });
    mixer.apply({ type: 'play', id: 2 });
    const out = render(mixer, 128 * 400);
    near(mixer.position, 20_000 + rate * 128 * 400, 1e-6);
    let crossings = 0;
    for (let n = 20_001; n < 20_001 + RATE_HZ / 2; n++) {
      if ((out[n - 1] ?? 0) < 0 && (out[n] ?? 0) >= 0) crossings++;
    }
    near(2 * crossings, hz, 4);
  }
});

test('under key lock a mute is audible within 15 ms', () => {
  const mixer = mixerOf(
    200_000,
    () => 0,
    (n) => 0.5 * Math.sin(n * 0.05),
  );
  mixer.apply({ type: 'tempo', rate: 0.9, semitones: 0, isKeyLocked: true });
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 12_800);
  mixer.apply({ type: 'gains', gains: [1, 0] });
  const out = render(mixer, 12_800);
  assert.ok(out.subarray(Math.round(0.015 * RATE_HZ)).every((sample) => Math.abs(sample) < 1e-6));
});

test('stems of different lengths play to the end of the longest', () => {
  const mixer = new StemMixer(RATE_HZ);
  const stems = [
    { frames: 3 * CHUNK_FRAMES, channels: 1 },
    { frames: 1_000, channels: 1 },
  ];
  mixer.apply({ type: 'setup', sampleRateHz: RATE_HZ, stems });
  for (let index = 0; index < 3; index++) load(mixer, 0, index, () => 0.25);
  load(mixer, 1, 0, () => 0.25);
  mixer.apply({ type: 'play', id: 1 });
  const out = render(mixer, 3 * CHUNK_FRAMES);
  near(out[500 + mixer.delayFrames] ?? 0, 0.5, 1e-6);
  near(out[2_000 + mixer.delayFrames] ?? 0, 0.25, 1e-6);
  assert.equal(mixer.transport, 'ended');
});

test('a new loop does not move the position', () => {
  const mixer = mixerOf(200_000, () => 0.1);
  mixer.apply({ type: 'loop', loop: { startFrame: 0, endFrame: 40_000 } });
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 12_800);
  mixer.apply({ type: 'loop', loop: { startFrame: 20_000, endFrame: 60_000 } });
  render(mixer, 1_280);
  assert.equal(mixer.position, 14_080);
});
