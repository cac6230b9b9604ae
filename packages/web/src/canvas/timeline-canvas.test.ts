import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barStep, timelineHeightPx, timeStep } from './timeline-canvas.ts';

test('time labels have round steps and at least 72 pixels each', () => {
  assert.equal(timeStep(80, 960), 10);
  assert.equal(timeStep(4, 960), 1);
  assert.equal(timeStep(3600, 960), 300);
  assert.equal(timeStep(100_000, 960), 8400);
});

test('bar numbers stand at powers of two of bars', () => {
  assert.deepEqual([60, 34, 20, 9, 3].map(barStep), [1, 1, 2, 4, 16]);
});

test('a timeline has a row for what is known', () => {
  const nothing = { beats: [], downbeats: [], sections: [], chords: [], cues: [] };
  const span = { start: 0, end: 1, label: 'x' };
  assert.equal(timelineHeightPx(nothing), 20);
  assert.equal(timelineHeightPx({ ...nothing, downbeats: [0], sections: [span], chords: [span] }), 72);
});
