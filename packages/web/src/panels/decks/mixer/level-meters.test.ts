import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '@stem-studio/renderer/testing/near';
import { type MeterState, meterShare, moveMeter } from './level-meters.ts';

test('a meter goes from −48 dB to full scale', () => {
  assert.deepEqual([meterShare(0), meterShare(1), meterShare(2)], [0, 1, 1]);
  near(meterShare(10 ** (-24 / 20)), 0.5, 1e-9);
  assert.equal(meterShare(10 ** (-60 / 20)), 0);
});

test('a bar rises at once and falls slowly, and its mark holds the peak for more than a second', () => {
  const meter: MeterState = { bar: 0, mark: 0, markAt: 0 };
  moveMeter(meter, 0.9, 0, 16);
  assert.deepEqual([meter.bar, meter.mark], [0.9, 0.9]);
  for (let timeMs = 16; timeMs <= 1000; timeMs += 16) moveMeter(meter, 0, timeMs, 16);
  assert.equal(meter.mark, 0.9);
  assert.equal(meter.bar <= 0, true);
  for (let timeMs = 1016; timeMs <= 6000; timeMs += 16) moveMeter(meter, 0, timeMs, 16);
  assert.equal(meter.mark < 0.01, true);
});
