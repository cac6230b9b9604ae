import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuantizer } from './quantizer.ts';

test('restores every 16-bit integer', () => {
  const quantize = createQuantizer(16);
  for (let value = -32768; value <= 32767; value++) assert.equal(quantize(value / 32768), value);
});

test('adds triangular dither of one step, the same in every run, that keeps the mean of a level between steps', () => {
  const level = 100.3 / 32768;
  const run = () => {
    const quantize = createQuantizer(16, true);
    return Array.from({ length: 20_000 }, () => quantize(level));
  };
  const values = run();
  assert.deepEqual(values, run());
  assert.ok(values.every((value) => Math.abs(value - 100.3) <= 1.5));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  assert.ok(Math.abs(mean - 100.3) < 0.02, `mean ${mean}`);
  // Rounding (1/12) and triangular noise (1/6) together: a quarter of a squared step at any level.
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  assert.ok(Math.abs(variance - 0.25) < 0.02, `variance ${variance}`);
});
