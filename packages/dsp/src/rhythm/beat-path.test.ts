import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areSameBeats, beatCandidates, commonPart } from './beat-candidates.ts';
import { decodeBeats } from './beat-path.ts';

/** Returns log-odds of −3, and 3 at the frames of 20 ms nearest to the given seconds. */
function gainsAt(beats: readonly number[], seconds: number): Float32Array {
  const gains = new Float32Array(Math.round(50 * seconds)).fill(-3);
  for (const beat of beats) gains[Math.round(50 * beat)] = 3;
  return gains;
}

function beatsBetween(first: number, last: number, periodAt: (time: number) => number): number[] {
  const beats: number[] = [];
  for (let time = first; time < last; time += periodAt(time)) beats.push(time);
  return beats;
}

/** Asserts that nine of ten beats are within 40 ms of a decoded one. */
function assertFound(beats: readonly number[], frames: readonly number[]): void {
  const met = beats.filter((beat) => frames.some((frame) => Math.abs(frame / 50 - beat) < 0.04));
  assert.ok(met.length >= 0.9 * beats.length, `${met.length} of ${beats.length} beats were found`);
}

for (const bpm of [41, 67.3, 128, 174, 248]) {
  test(`decodes beats at ${bpm} bpm, whose period is no number of frames`, () => {
    const beats = beatsBetween(0.3, 30, () => 60 / bpm);
    const frames = decodeBeats(gainsAt(beats, 30));
    assertFound(beats, frames);
    assert.ok(Math.abs(frames.length - beats.length) <= 2, `${frames.length} of ${beats.length}`);
  });
}

test('follows a drifting tempo and a sudden step', () => {
  for (const periodAt of [
    (time: number) => 60 / (100 + time),
    (time: number) => (time < 15 ? 60 / 90 : 60 / 126),
  ]) {
    const beats = beatsBetween(0.2, 30, periodAt);
    assertFound(beats, decodeBeats(gainsAt(beats, 30)));
  }
});

test('continues through a break of two bars', () => {
  const beats = beatsBetween(0.2, 30, () => 0.5);
  const gains = gainsAt(
    beats.filter((beat) => beat < 12 || beat > 16),
    30,
  );
  assertFound(beats, decodeBeats(gains));
});

test('returns nothing for less than two seconds', () => {
  assert.deepEqual(decodeBeats(new Float32Array(99)), []);
});

test('derives the beats at other levels and phases, each once', () => {
  const beats = beatsBetween(0, 20, () => 0.5);
  const candidates = beatCandidates(beats);
  const described = candidates.map(({ rate, delay }) => `${rate.toFixed(2)} ${delay.toFixed(2)}`);
  assert.equal(new Set(described).size, described.length);
  for (const wanted of [
    '1.00 0.00',
    '1.00 0.50',
    '2.00 0.00',
    '0.50 0.00',
    '0.50 1.00',
    '1.50 0.00',
    '0.67 0.50',
  ])
    assert.ok(described.includes(wanted), `${wanted} is missing in ${described.join(', ')}`);
  candidates.forEach((one, index) => {
    candidates.forEach((two, other) => {
      assert.equal(areSameBeats(one.beats, two.beats), index === other);
    });
  });
});

test('tells beats of the same phase from those between', () => {
  const beats = beatsBetween(0, 20, () => 0.5);
  const double = beatsBetween(0, 20, () => 0.25);
  const shifted = beats.map((beat) => beat + 0.25);
  assert.ok(commonPart(beats, double) > 0.95);
  assert.equal(commonPart(beats, shifted), 0);
  assert.equal(commonPart([], beats), 0);
});
