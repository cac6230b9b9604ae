import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '@stem-studio/renderer/testing/near';
import { bendAfter } from './jog-bend.ts';

const frameSeconds = 1 / 60;

function pushed(from: number, degreesPerFrame: readonly number[]): number {
  return degreesPerFrame.reduce((bend, degrees) => bendAfter(bend, degrees, frameSeconds), from);
}

test('the bend follows the speed of the rim to both sides, up to its maximum', () => {
  const slow = pushed(0, Array<number>(60).fill(2));
  assert.ok(Math.abs(slow - 0.25) < 0.01, String(slow));
  near(pushed(0, Array<number>(60).fill(-2)), -slow, 1e-9);
  assert.ok(pushed(0, Array<number>(60).fill(100)) <= 1);
});

test('ends the bend when the rim stops, and bridges frames without pointer events', () => {
  const pushing = pushed(0, Array<number>(60).fill(4));
  assert.ok(pushed(pushing, [0]) > pushing / 2);
  assert.equal(pushed(pushing, Array<number>(60).fill(0)), 0);
});

test('the bend does not depend on the frame rate', () => {
  const seldom = Array<number>(20).fill(6);
  const bend = seldom.reduce((before, degrees) => bendAfter(before, degrees, 0.05), 0);
  assert.ok(Math.abs(bend - 0.25) < 0.01, String(bend));
  assert.equal(bendAfter(bend, 5, 0), bend);
});
