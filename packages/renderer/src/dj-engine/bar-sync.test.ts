import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DjEngineRig, type TestSong } from '../testing/dj-engine-rig.ts';

const RATE_HZ = 11_025;
const SECONDS = 60;
const CLICK_FRAMES = 12;

/** Returns a song of clicks on its downbeats only. */
function barSong(bpm: number, beatsPerBar: number, firstDownbeat: number): TestSong {
  const beats = Array.from({ length: Math.floor((SECONDS * bpm) / 60) }, (_, n) => 0.25 + (n * 60) / bpm);
  const downbeats = beats.filter((_, beat) => beat % beatsPerBar === firstDownbeat);
  const samples = new Float32Array((SECONDS + 1) * RATE_HZ);
  for (const beat of downbeats) {
    const frame = Math.round(beat * RATE_HZ);
    samples.fill(0.5, frame, frame + CLICK_FRAMES);
  }
  return {
    frames: SECONDS * RATE_HZ,
    sampleRateHz: RATE_HZ,
    sources: [(n) => samples[n] ?? 0],
    beats,
    downbeats,
  };
}

function clicksIn(samples: Float32Array): number[] {
  const found: number[] = [];
  for (let n = 1; n < samples.length; n++)
    if (samples[n]! > 0.1 && samples[n - 1]! <= 0.1 && n - (found.at(-1) ?? -1000) > 500) found.push(n);
  return found;
}

/** Starts deck B at a frame on a playing deck A, and returns the onsets of both decks' downbeats in the output. */
function started(leader: TestSong, follower: TestSong, atFrame: number, unit: 'beat' | 'bar', seconds = 16) {
  const rig = new DjEngineRig(RATE_HZ);
  rig.load('a', leader);
  rig.load('b', follower);
  rig.kernel.apply({ type: 'sync', leader: 'a', keepsPhase: true, unit });
  // Deck A alone goes to the master, deck B alone to the headphones.
  rig.strip('b', { isCued: true });
  rig.play('a');
  rig.render(1.37 * RATE_HZ);
  rig.seek('b', atFrame);
  rig.play('b', true);
  const { master, headphones } = rig.render(seconds * RATE_HZ);
  return { a: clicksIn(master), b: clicksIn(headphones) };
}

/** Largest distance in samples of a downbeat of `b` to the nearest of `a`. */
function apart(a: readonly number[], b: readonly number[]): number {
  const inner = b.filter((at) => at > a[0]! - 100 && at < a.at(-1)! + 100);
  assert.ok(inner.length >= 3, `${inner.length} downbeats to compare`);
  return Math.max(...inner.map((at) => Math.min(...a.map((other) => Math.abs(other - at)))));
}

test('a synced start lands on the same beat of the bar, to the sample, from any beat', () => {
  const leader = barSong(120, 4, 0);
  for (let beat = 0; beat < 8; beat++) {
    const { a, b } = started(leader, barSong(120, 4, 2), (10 + beat * 0.5) * RATE_HZ, 'bar');
    assert.ok(apart(a, b) <= 1, `from beat ${beat}: ${apart(a, b)} samples`);
  }
});

test('with beats as the unit a start may land on another beat of the bar', () => {
  const { a, b } = started(barSong(120, 4, 0), barSong(120, 4, 2), 10 * RATE_HZ, 'beat');
  assert.ok(apart(a, b) > 0.4 * RATE_HZ, `${apart(a, b)} samples`);
});

test('another tempo keeps the bars together', () => {
  const { a, b } = started(barSong(124, 4, 1), barSong(128, 4, 3), 10.2 * RATE_HZ, 'bar');
  assert.ok(apart(a, b) <= 0.005 * RATE_HZ, `${apart(a, b)} samples`);
});

test('at half tempo each downbeat of the slower song is a downbeat of the faster one', () => {
  for (const [lead, own] of [
    [87, 174],
    [174, 87],
  ] as const) {
    const { a, b } = started(barSong(lead, 4, 0), barSong(own, 4, 3), 10.2 * RATE_HZ, 'bar', 24);
    const [slow, fast] = lead < own ? [a, b] : [b, a];
    assert.ok(apart(fast, slow) <= 0.005 * RATE_HZ, `${own} on ${lead}: ${apart(fast, slow)} samples`);
  }
});

test('with other metres the bars coincide at the last downbeat of the leader, and every twelve beats', () => {
  const { a, b } = started(barSong(120, 4, 0), barSong(120, 3, 1), 10.2 * RATE_HZ, 'bar', 24);
  const common = b.filter((at) => a.some((other) => Math.abs(other - at) <= 1));
  assert.ok(common.length >= 3, `${common.length} common downbeats`);
  for (const [n, at] of common.slice(1).entries())
    assert.ok(Math.abs(at - common[n]! - 6 * RATE_HZ) <= 1, `${(at - common[n]!) / RATE_HZ} s`);
});
