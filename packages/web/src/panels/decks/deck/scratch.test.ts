import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scratchRate } from './scratch.ts';

test('a scratch follows the rate of the drag, catches up with it, and stops when the drag stops', () => {
  assert.equal(scratchRate(1, 0), 1);
  assert.equal(scratchRate(0, 0.1) > 0, true);
  assert.equal(scratchRate(0, 0.0001), 0);
  assert.equal(scratchRate(-100, 0), -16);
});
