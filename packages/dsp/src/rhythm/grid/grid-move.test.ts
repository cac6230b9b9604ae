import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multiplied, shiftedByBeats, shiftedBySeconds, withTempo } from './grid-edits.ts';
import { gridMove } from './grid-move.ts';
import type { GridRule } from './grid-rule.ts';

const even: GridRule = { kind: 'even', bpm: 120, downbeatSeconds: 0.25, timeSignature: '4/4' };
const detected = Array.from({ length: 400 }, (_, n) => 0.3 + n * 0.5 + 0.02 * Math.sin(n / 9));
const following: GridRule = {
  kind: 'following',
  downbeatIndex: 0,
  step: 1,
  offsetSeconds: 0,
  timeSignature: '4/4',
};

/** Returns a position after a move; null where it is on no beat. */
function moved(before: GridRule, after: GridRule, seconds: number): number | null {
  const move = gridMove({ grid: before, detected }, { grid: after, detected });
  return move ? move.onBeat(seconds) : null;
}

function near(actual: number | null, expected: number): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${actual}, expected ${expected}`);
}

test('a position within 10 ms of a beat moves with it and keeps its offset; others are on no beat', () => {
  const later = shiftedBySeconds(even, 0.02);
  near(moved(even, later, 10.25), 10.27);
  near(moved(even, later, 10.259), 10.279);
  assert.equal(moved(even, later, 10.262), null);
});

test('a position of a beat rounded to whole milliseconds does not drift in many edits', () => {
  let grid: GridRule = { ...even, bpm: 127.3 };
  let ms = Math.round((0.25 + (100 * 60) / 127.3) * 1000);
  for (let n = 0; n < 200; n++) {
    const next = shiftedBySeconds(grid, 0.0003);
    ms = Math.round(moved(grid, next, ms / 1000)! * 1000);
    grid = next;
  }
  assert.equal(ms, Math.round((0.25 + 200 * 0.0003 + (100 * 60) / 127.3) * 1000));
});

test('another tempo keeps the number of the beat, counted from the beat around which it was set', () => {
  const after = withTempo(even, [], 121, 30.25);
  near(moved(even, after, 30.25), 30.25);
  near(moved(even, after, 40.25), 30.25 + (20 * 60) / 121);
});

test('bar lines, double and half tempo move nothing', () => {
  for (const after of [
    shiftedByBeats(even, 3),
    multiplied(even, [2, 1]),
    multiplied(even, [1, 2]),
    multiplied(even, [3, 2]),
  ])
    for (const beat of [10.25, 10.75]) near(moved(even, after, beat), beat);
});

test('the move back is the inverse of every edit', () => {
  const edits = [
    shiftedBySeconds(even, -0.037),
    shiftedBySeconds(even, 0.4),
    shiftedByBeats(even, 0.5),
    shiftedByBeats(even, 2),
    multiplied(even, [2, 3]),
    withTempo(even, [], 118.4, 60.25),
  ];
  for (const after of edits) near(moved(after, even, moved(even, after, 79.75 + 0.006)!), 79.756);
});

test('a grid that follows drifting beats takes a position by the number of its beat', () => {
  const late = shiftedBySeconds(following, 0.03);
  near(moved(following, late, detected[57]!), detected[57]! + 0.03);
  near(moved(late, following, detected[57]! + 0.03), detected[57]!);
});

test('grids of unrelated tempi have no move', () => {
  assert.equal(gridMove({ grid: even, detected }, { grid: { ...even, bpm: 137 }, detected }), null);
});
