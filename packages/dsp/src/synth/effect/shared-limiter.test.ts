import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../random.ts';
import { SharedLimiter } from './shared-limiter.ts';

test('keeps the sum below the ceiling with the same gain for every stem', () => {
  const random = createRandom(1);
  const length = 20_000;
  // Two stems: bursts whose sum would exceed 2, and a constant that shows the gain.
  const burst = Float32Array.from({ length }, (_, index) =>
    index % 3000 < 700 ? 2.4 * (random() - 0.5) : 0,
  );
  const constant = new Float32Array(length).fill(0.5);
  const stems = [burst.slice(), burst.slice(), constant.slice(), constant.slice()];
  const limiter = new SharedLimiter(4, 0.8, 0.004, 0.1);
  limiter.process(stems, length);
  let least = 1;
  for (let index = limiter.delay; index < length; index++) {
    const sum = stems[0]![index]! + stems[2]![index]!;
    assert.ok(Math.abs(sum) <= 0.8 + 1e-6, `${sum} at ${index}`);
    const gain = stems[2]![index]! / 0.5;
    least = Math.min(least, gain);
    assert.ok(Math.abs(stems[0]![index]! - gain * burst[index - limiter.delay]!) < 1e-6);
  }
  assert.ok(least < 0.7, 'the bursts must have been limited');
});

test('passes audio below the ceiling unchanged, delayed by the look-ahead', () => {
  const samples = Float32Array.from({ length: 4000 }, (_, index) => 0.3 * Math.sin(index / 20));
  const stems = [samples.slice(), samples.slice()];
  const limiter = new SharedLimiter(2, 0.8, 0.004, 0.1);
  limiter.process(stems, 4000);
  assert.deepEqual(stems[0]!.slice(limiter.delay), samples.slice(0, 4000 - limiter.delay));
});
