import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopName } from './loop-text.ts';

const downbeats = [0.5, 2.5, 4.5, 6.5, 8.5];

test('a loop of whole bars is named after them', () => {
  assert.equal(loopName({ startSeconds: 2.5, endSeconds: 6.5 }, downbeats), 'Bars 2–3');
  assert.equal(loopName({ startSeconds: 2.51, endSeconds: 4.49 }, downbeats), 'Bar 2');
});

test('any other loop is named after its bounds', () => {
  assert.equal(loopName({ startSeconds: 3, endSeconds: 6.5 }, downbeats), '0:03 – 0:06');
  assert.equal(loopName({ startSeconds: 2.5, endSeconds: 70 }, []), '0:02 – 1:10');
});
