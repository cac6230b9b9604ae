import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionOf, valueAtPosition } from './taper.ts';

const gain = { min: -24, max: 12 };

test('a linear travel has equal steps from end to end', () => {
  assert.deepEqual(
    [-24, -6, 12, 99].map((db) => positionOf(db, gain, 'linear')),
    [0, 0.5, 1, 1],
  );
  assert.equal(positionOf(3, { min: 3, max: 3 }, 'linear'), 0);
});

test('a centred travel has 0 in the middle and equal steps on each side', () => {
  assert.deepEqual(
    [-24, -12, 0, 6, 12].map((db) => positionOf(db, gain, 'centred')),
    [0, 0.25, 0.5, 0.75, 1],
  );
  assert.equal(positionOf(0, { min: 0, max: 1 }, 'centred'), 0);
});

test('maps a value to its position and back', () => {
  for (const taper of ['linear', 'centred'] as const)
    for (let value = gain.min; value <= gain.max; value += 1.5) {
      const back = valueAtPosition(positionOf(value, gain, taper), gain, taper);
      assert.ok(Math.abs(back - value) < 1e-9, `${taper} ${value}: ${back}`);
    }
  assert.deepEqual([valueAtPosition(-1, gain, 'centred'), valueAtPosition(2, gain, 'centred')], [-24, 12]);
});
