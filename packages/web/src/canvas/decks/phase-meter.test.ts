import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '@stem-studio/renderer/testing/near';
import { phaseBetween } from './phase-meter.ts';

test('the phase is the distance to the nearest beat of the other deck, positive if B is ahead', () => {
  assert.equal(phaseBetween(12, 40), 0);
  near(phaseBetween(12.9, 40.1) ?? 0, 0.2, 1e-9);
  near(phaseBetween(12.1, 39.9) ?? 0, -0.2, 1e-9);
  assert.equal(phaseBetween(Number.NaN, 3), null);
});
