import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  barText,
  chordSpansOf,
  energyCurveOf,
  keySpansOf,
  spanAt,
  tempoCurveOf,
  valueAt,
} from './song-analysis.ts';

const everyHalfSecond = Array.from({ length: 20 }, (_, i) => 0.25 + i / 2);

test('derives the tempo from the beats if the analysis has no tempo curve', () => {
  const curve = tempoCurveOf({ beats: everyHalfSecond, features: {} });
  assert.equal(curve.length, everyHalfSecond.length);
  for (const { value } of curve) assert.ok(Math.abs(value - 120) < 1e-9, `120 bpm (got ${value})`);
});

test('returns no tempo for too few beats', () => {
  assert.deepEqual(tempoCurveOf({ beats: [0, 0.5, 1], features: {} }), []);
  assert.deepEqual(tempoCurveOf({ features: {} }), []);
});

test('prefers the tempo curve of the analysis to its beats', () => {
  const curve = tempoCurveOf({ beats: everyHalfSecond, tempo_curve: [{ time: 3, bpm: 97 }], features: {} });
  assert.deepEqual(curve, [{ seconds: 3, value: 97 }]);
});

test("puts a second's energy in the middle of that second", () => {
  assert.deepEqual(energyCurveOf({ energy_curve: [0.25, 0.5] }), [
    { seconds: 0.5, value: 0.25 },
    { seconds: 1.5, value: 0.5 },
  ]);
});

test('formats a position in bars and beats, both from one, and returns none before the first bar', () => {
  const beats = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4];
  const downbeats = [1, 3];
  assert.equal(barText(beats, downbeats, 0.7), '');
  assert.equal(barText(beats, downbeats, 1), 'bar 1, beat 1');
  assert.equal(barText(beats, downbeats, 2.6), 'bar 1, beat 4');
  assert.equal(barText(beats, downbeats, 3.6), 'bar 2, beat 2');
});

test('interpolates a curve linearly and extends its ends as constants', () => {
  const points = [
    { seconds: 1, value: 10 },
    { seconds: 3, value: 20 },
  ];
  assert.equal(valueAt(points, 0), 10);
  assert.equal(valueAt(points, 2), 15);
  assert.equal(valueAt(points, 9), 20);
  assert.equal(valueAt([], 1), null);
});

test('includes the start of a span and excludes its end', () => {
  const parts = [
    { start: 0, end: 2, label: 'Intro' },
    { start: 2, end: 5, label: 'Verse' },
  ];
  assert.equal(spanAt(parts, 2)?.label, 'Verse');
  assert.equal(spanAt(parts, 5), null);
});

test('gives a span without a chord no label', () => {
  const chords = [
    { start: 0, end: 1, label: 'N' },
    { start: 1, end: 2, label: 'Am7' },
  ];
  assert.deepEqual(
    chordSpansOf({ chords }).map(({ label }) => label),
    ['', 'Am7'],
  );
});

test('labels key spans with the name of their key', () => {
  const [first, second] = keySpansOf({
    keys: [
      { start: 0, end: 1, key: 'A minor' },
      { start: 1, end: 2, key: 'C major' },
    ],
  });
  assert.equal(first?.label, 'A minor');
  assert.equal(second?.label, 'C major');
});
