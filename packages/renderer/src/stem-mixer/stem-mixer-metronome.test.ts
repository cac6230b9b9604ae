import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClick } from '../metronome/click-samples.ts';
import { mixerOf, RATE_HZ, render } from '../testing/stem-mixer-rig.ts';
import type { StemMixer } from './stem-mixer.ts';

const FRAMES = 12 * RATE_HZ;
/** 120 BPM to the sixth second, 150 BPM from there on. */
const beats = [
  ...Array.from({ length: 12 }, (_, beat) => 0.25 + beat * 0.5),
  ...Array.from({ length: 12 }, (_, beat) => 6.25 + beat * 0.4),
];
const downbeats = beats.filter((_, beat) => beat % 4 === 0);
const peaks = { downbeat: peakOf(true), beat: peakOf(false) };

function peakOf(isDownbeat: boolean): number {
  return createClick(isDownbeat, RATE_HZ).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

function silentSong(): StemMixer {
  const mixer = mixerOf(FRAMES, () => 0);
  mixer.apply({ type: 'beats', beats, downbeats });
  return mixer;
}

/** Returns the clicks of an output: the sample at which each begins, without the limiter's delay. */
function clicksOf(mixer: StemMixer, samples: Float32Array): { at: number; isDownbeat: boolean }[] {
  const found: { at: number; isDownbeat: boolean }[] = [];
  for (let n = 0; n < samples.length; n++) {
    if (Math.abs(samples[n] ?? 0) < 1e-4) continue;
    const peak = samples.subarray(n, n + 400).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    // A click begins with a zero.
    found.push({ at: n - 1 - mixer.delayFrames, isDownbeat: peak > (peaks.downbeat + peaks.beat) / 2 });
    n += 1_800;
  }
  return found;
}

test('clicks on the beats of the grid, sample by sample, with an accent on downbeats, through tempo changes', () => {
  for (const rate of [1, 0.8]) {
    const mixer = silentSong();
    mixer.apply({ type: 'metronome', isOn: true, gain: 1 });
    mixer.apply({ type: 'tempo', rate, semitones: 0, isKeyLocked: true });
    mixer.apply({ type: 'play', id: 1 });
    const [out] = render(mixer, 11 * RATE_HZ);
    const clicks = clicksOf(mixer, out);
    const expected = beats.filter((beat) => beat / rate < 10.9);
    assert.deepEqual(
      clicks.map(({ isDownbeat }) => isDownbeat),
      expected.map((beat) => downbeats.includes(beat)),
    );
    for (const [index, { at }] of clicks.entries())
      assert.ok(Math.abs(at - ((expected[index] ?? 0) * RATE_HZ) / rate) <= 1, `beat ${index} at ${at}`);
  }
});

test('clicks follow the loop, stop with the pause, and have the level of their fader and of the master', () => {
  const mixer = silentSong();
  mixer.apply({ type: 'metronome', isOn: true, gain: 0.5 });
  mixer.apply({ type: 'master', gain: 0.5 });
  mixer.apply({ type: 'loop', loop: { startFrame: 0, endFrame: RATE_HZ } });
  mixer.apply({ type: 'play', id: 1 });
  const [out] = render(mixer, 3 * RATE_HZ);
  const starts = [0.25, 0.75, 1.25, 1.75, 2.25, 2.75];
  const peak = out.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  assert.ok(Math.abs(peak - 0.25 * peaks.downbeat) < 1e-6, `${peak}`);
  const near = (seconds: number) => {
    const at = Math.round(seconds * RATE_HZ) + mixer.delayFrames;
    return out.subarray(at, at + 400).some((sample) => Math.abs(sample) > 0.05);
  };
  assert.ok(starts.every(near));
  mixer.apply({ type: 'pause', id: 2 });
  render(mixer, 2_048);
  assert.ok(render(mixer, RATE_HZ)[0].every((sample) => sample === 0));
});

test('counts in whole bars at the tempo of the position, then plays from the beginning of its bar', () => {
  for (const [bars, seconds, barSeconds, beatSeconds] of [
    [1, 3.1, 2.25, 0.5],
    [2, 8.1, 7.85, 0.4],
  ] as const) {
    const mixer = silentSong();
    mixer.apply({ type: 'count-in', bars });
    mixer.apply({ type: 'tempo', rate: 0.8, semitones: 0, isKeyLocked: true });
    mixer.apply({ type: 'seek', frame: seconds * RATE_HZ, id: 1 });
    mixer.apply({ type: 'play', id: 2 });
    assert.equal(mixer.transport, 'counting-in');
    const beatFrames = (beatSeconds / 0.8) * RATE_HZ;
    const countFrames = Math.round(bars * 4 * beatFrames);
    const [out] = render(mixer, countFrames + 1_024);
    const clicks = clicksOf(mixer, out);
    assert.deepEqual(
      clicks.map(({ isDownbeat }) => isDownbeat),
      Array.from({ length: 4 * bars }, (_, beat) => beat % 4 === 0),
    );
    for (const [beat, { at }] of clicks.entries()) assert.ok(Math.abs(at - beat * beatFrames) <= 1, `${at}`);
    assert.equal(mixer.transport, 'playing');
    const played = Math.ceil((countFrames + 1_024) / 128) * 128 - countFrames;
    const started = mixer.position - 0.8 * played;
    assert.ok(Math.abs(started - barSeconds * RATE_HZ) <= 1, `started at ${started / RATE_HZ}`);
  }
});

test('a count-in ends with a pause, and there is none without beats or while the song plays', () => {
  const mixer = silentSong();
  mixer.apply({ type: 'count-in', bars: 1 });
  mixer.apply({ type: 'play', id: 1 });
  render(mixer, 4_096);
  mixer.apply({ type: 'pause', id: 2 });
  assert.equal(mixer.transport, 'paused');
  render(mixer, 4_096);
  assert.ok(render(mixer, 2 * RATE_HZ)[0].every((sample) => sample === 0));
  mixer.apply({ type: 'play', id: 3 });
  render(mixer, 2.2 * RATE_HZ);
  mixer.apply({ type: 'play', id: 4 });
  assert.equal(mixer.transport, 'playing');
  const other = mixerOf(FRAMES, () => 0);
  other.apply({ type: 'count-in', bars: 2 });
  other.apply({ type: 'play', id: 1 });
  assert.equal(other.transport, 'playing');
});

test('in a loop the count-in leads to a position in the loop', () => {
  const mixer = silentSong();
  mixer.apply({ type: 'count-in', bars: 1 });
  mixer.apply({ type: 'loop', loop: { startFrame: 3 * RATE_HZ, endFrame: 5 * RATE_HZ } });
  mixer.apply({ type: 'seek', frame: 3.5 * RATE_HZ, id: 1 });
  mixer.apply({ type: 'play', id: 2 });
  assert.equal(mixer.position, 3 * RATE_HZ);
});
