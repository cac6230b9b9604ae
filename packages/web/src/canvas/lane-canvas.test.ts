import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laneScale, peakOf } from './lane-canvas.ts';

test('a quiet waveform is enlarged in readable steps until it nearly fills its lane', () => {
  assert.deepEqual([1, 0.8, 0.6, 0.4, 0.26, 0.12, 0.03].map(laneScale), [1, 1, 1.5, 2, 3, 8, 16]);
});

test('silence is not enlarged', () => {
  assert.deepEqual([0, 0.005].map(laneScale), [1, 1]);
});

test('the peak of a waveform is its highest sample of either sign', () => {
  const peaks = { min: Int8Array.of(0, -64, -3), max: Int8Array.of(0, 30, 12) };
  assert.equal(peakOf(peaks), 64 / 127);
  assert.equal(peakOf({ min: new Int8Array(0), max: new Int8Array(0) }), 0);
});
