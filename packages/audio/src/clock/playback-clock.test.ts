import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionAt } from './playback-clock.ts';

const moving = { positionSeconds: 10, timeSeconds: 100, isMoving: true, rate: 1 };

test('extrapolates the position between reports', () => {
  assert.equal(positionAt(moving, 100.1, 60, null).toFixed(3), '10.100');
});

test('keeps the position of a paused player', () => {
  assert.equal(positionAt({ ...moving, isMoving: false }, 105, 60, null), 10);
});

test('wraps the position with the loop', () => {
  const loop = { startSeconds: 4, endSeconds: 10.05 };
  assert.equal(positionAt(moving, 100.1, 60, loop).toFixed(3), '4.050');
});

test('stops extrapolating without reports, and never passes the end', () => {
  assert.equal(positionAt(moving, 200, 60, null), 10.25);
  assert.equal(positionAt(moving, 200, 10.1, null), 10.1);
});

test('shows the end of the previous round while it is audible, not the audio before the loop', () => {
  const loop = { startSeconds: 9.95, endSeconds: 20 };
  assert.equal(positionAt(moving, 99.9, 60, loop).toFixed(3), '19.950');
});

test('advances by 0.8 s per second at 80 % tempo', () => {
  const slow = { ...moving, rate: 0.8 };
  assert.equal(positionAt(slow, 100.2, 60, null).toFixed(3), '10.160');
  const loop = { startSeconds: 4, endSeconds: 10.08 };
  assert.equal(positionAt(slow, 100.2, 60, loop).toFixed(3), '4.080');
});

test('keeps the position while the output latency passes', () => {
  const slow = { ...moving, rate: 0.5 };
  assert.equal(positionAt(slow, 99.6, 60, null).toFixed(3), '9.800');
  const loop = { startSeconds: 9.9, endSeconds: 20 };
  assert.equal(positionAt(slow, 99.6, 60, loop).toFixed(3), '19.900');
});
