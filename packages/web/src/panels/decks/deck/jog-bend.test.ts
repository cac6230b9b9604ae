import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '@stem-studio/audio/testing/near';
import { bendAfter } from './jog-bend.ts';

const picture = 1 / 60;

function pushed(from: number, degreesEachPicture: readonly number[]): number {
  return degreesEachPicture.reduce((push, degrees) => bendAfter(push, degrees, picture), from);
}

test('a rim pushes as much as it is turned, to both sides, and never further than it can', () => {
  const slow = pushed(0, Array<number>(60).fill(2));
  assert.ok(Math.abs(slow - 0.25) < 0.01, String(slow));
  near(pushed(0, Array<number>(60).fill(-2)), -slow, 1e-9);
  assert.ok(pushed(0, Array<number>(60).fill(100)) <= 1);
});

test('a finger that rests on the rim pushes no more, and a picture without news of it is no gap', () => {
  const pushing = pushed(0, Array<number>(60).fill(4));
  assert.ok(pushed(pushing, [0]) > pushing / 2);
  assert.equal(pushed(pushing, Array<number>(60).fill(0)), 0);
});

test('pictures that come seldom make the same push', () => {
  const seldom = Array<number>(20).fill(6);
  const push = seldom.reduce((before, degrees) => bendAfter(before, degrees, 0.05), 0);
  assert.ok(Math.abs(push - 0.25) < 0.01, String(push));
  assert.equal(bendAfter(push, 5, 0), push);
});
