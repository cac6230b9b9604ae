import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near } from '../testing/near.ts';
import { LIMITER_CEILING, SafetyLimiter } from './safety-limiter.ts';

test('audio below the ceiling passes unchanged, with a delay', () => {
  const limiter = new SafetyLimiter(44_100);
  const input = Float32Array.from({ length: 4_096 }, (_, n) => Math.sin(n * 0.1) * 0.98);
  const left = input.slice();
  limiter.process(left, input.slice(), left.length);
  for (let n = limiter.delayFrames; n < left.length; n++) {
    near(left[n] ?? 0, input[n - limiter.delayFrames] ?? 0, 1e-6);
  }
});

test('bursts of any shape never pass the ceiling', () => {
  const limiter = new SafetyLimiter(44_100);
  let seed = 7;
  const left = Float32Array.from({ length: 44_100 }, (_, n) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const gain = Math.floor(n / 3_000) % 3 === 1 ? 6 : 0.4;
    return (seed / 1_073_741_824 - 1) * gain;
  });
  const right = left.map((sample) => -sample);
  limiter.process(left, right, left.length);
  assert.ok(left.every((sample) => Math.abs(sample) <= LIMITER_CEILING + 1e-6));
  assert.ok(right.every((sample) => Math.abs(sample) <= LIMITER_CEILING + 1e-6));
});
