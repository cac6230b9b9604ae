import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatsOfGrid, findStraightGrid } from './straight-grid.ts';

/** Returns an onset curve with a peak of the given strength at each position in hops. */
function curveOf(
  length: number,
  positions: readonly number[],
  strength: (index: number) => number = () => 1,
) {
  const curve = new Float32Array(length);
  positions.forEach((position, index) => {
    for (let hop = Math.ceil(position - 3); hop <= position + 3; hop++) {
      if (hop < 0 || hop >= length) continue;
      curve[hop] = (curve[hop] ?? 0) + strength(index) * Math.exp(-0.5 * (hop - position) ** 2);
    }
  });
  return curve;
}

const every = (periodHops: number, length: number, first = 0): number[] =>
  Array.from({ length: Math.floor((length - first) / periodHops) }, (_, index) => first + index * periodHops);

test('finds the period of the music to a thousandth of a percent', () => {
  const length = 20_000;
  const period = 40.3747;
  const grid = findStraightGrid(curveOf(length, every(period, length, 11)), every(period, length, 11));
  assert.ok(grid);
  assert.ok(Math.abs(grid.periodHops / period - 1) < 1e-5, `${grid.periodHops}`);
  assert.ok(grid.coherence > 0.99);
  const beats = beatsOfGrid(grid, 0, length);
  assert.ok(beats.every((beat) => Math.abs((((beat - 11) / period + 0.5) % 1) - 0.5) < 0.03));
});

test('rounds a tempo that is nearly an integer and keeps any other', () => {
  const periodOf = (bpm: number) => (60 * 22_050) / 256 / bpm;
  for (const [bpm, detectedBpm] of [
    [128.003, 128],
    [128.2, 128.2],
  ] as const) {
    const positions = every(periodOf(bpm), 5_000, 5);
    const grid = findStraightGrid(curveOf(5_000, positions), positions);
    assert.ok(grid);
    assert.ok(Math.abs(grid.periodHops / periodOf(detectedBpm) - 1) < 2e-5, `${bpm}`);
  }
});

test('keeps the phase of most beats if some beats change their phase for a while', () => {
  const length = 12_000;
  const period = 36;
  const all = every(period / 2, length);
  // For the first third the onsets between the beats are louder.
  const curve = curveOf(length, all, (index) => (index % 2 === (index * 18 < 4_000 ? 1 : 0) ? 2 : 1));
  const followed = every(period, length).map((position) =>
    position < 4_000 ? position + period / 2 : position,
  );
  const grid = findStraightGrid(curve, followed);
  assert.ok(grid);
  assert.ok(grid.coherence > 0.9, `${grid.coherence}`);
  const phase = (grid.originHop / grid.periodHops + 0.5) % 1;
  assert.ok(Math.abs(phase - 0.5) < 0.03, `${phase}`);
});

test('gives low coherence for music that changes its tempo halfway or speeds up', () => {
  const half = every(40, 6_000);
  const stepped = [...half, ...every(33, 12_000, 6_000)];
  const rising: number[] = [0];
  while ((rising.at(-1) ?? 0) < 11_900) rising.push((rising.at(-1) ?? 0) + 40 - rising.length * 0.03);
  for (const positions of [stepped, rising]) {
    const grid = findStraightGrid(curveOf(12_000, positions), positions);
    assert.ok(!grid || grid.coherence < 0.8, `${grid?.coherence}`);
  }
});

test('returns no grid for fewer than eight beats and for silence', () => {
  assert.equal(findStraightGrid(curveOf(400, every(40, 280)), every(40, 280)), null);
  assert.equal(findStraightGrid(new Float32Array(4_000), every(40, 4_000)), null);
});
