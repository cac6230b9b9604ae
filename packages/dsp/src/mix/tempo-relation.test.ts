import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PITCH_FADER_PERCENT, reachableTempi, tempoRelation } from './tempo-relation.ts';

const near = (actual: number | undefined, expected: number) =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

test('computes the change that brings one tempo to the other', () => {
  near(tempoRelation(124, 124)?.percent, 0);
  near(tempoRelation(126, 120)?.percent, 5);
  near(tempoRelation(120, 125)?.percent, -4);
  assert.equal(tempoRelation(126, 120)?.isReachable, true);
  assert.equal(tempoRelation(140, 120)?.isReachable, false);
});

test('counts a song of half or double tempo accordingly', () => {
  const half = tempoRelation(174, 87);
  assert.deepEqual([half?.factor, half?.percent, half?.isReachable], [2, 0, true]);
  const double = tempoRelation(85, 174.25);
  assert.equal(double?.factor, 0.5);
  near(double?.percent, (170 / 174.25 - 1) * 100);
});

test('prefers the same count, and the smaller change', () => {
  const score = (a: number, b: number) => tempoRelation(a, b)?.score ?? 0;
  assert.equal(score(120, 120), 1);
  near(score(108, 100), 0.5);
  assert.ok(score(120, 119) > score(120, 117));
  assert.ok(score(120, 119) > score(120, 60));
  assert.ok(score(120, 60) > score(120, 90));
});

test('returns no relation for an unknown tempo', () => {
  for (const [a, b] of [
    [null, 120],
    [120, null],
    [0, 120],
    [120, 0],
  ] as const)
    assert.equal(tempoRelation(a, b), null);
});

test('returns exactly the tempi that the fader range can reach', () => {
  const tempo = fc.double({ min: 20, max: 400, noNaN: true });
  const range = fc.constantFrom(PITCH_FADER_PERCENT, 16, 50);
  fc.assert(
    fc.property(tempo, tempo, range, (a, b, rangePercent) => {
      const isIn = reachableTempi(a, rangePercent).some(({ min, max }) => b >= min && b <= max);
      const relation = tempoRelation(a, b, rangePercent);
      const isAtEdge = Math.abs(Math.abs(relation?.percent ?? 0) - rangePercent) < 1e-6;
      assert.ok(isAtEdge || relation?.isReachable === isIn, `${a} ${b}`);
    }),
  );
});
