import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBufferPool } from './buffer-pool.ts';

test('a released array is provided again, as zeros and in the requested length', () => {
  const pool = createBufferPool();
  const first = pool.acquire(100).fill(7);
  pool.release(first);
  const second = pool.acquire(80);
  assert.equal(second.buffer, first.buffer);
  assert.deepEqual(second, new Float32Array(80));
  pool.release(second);
  assert.equal(pool.acquire(100).buffer, first.buffer);
});

test('an acquired array is not provided twice', () => {
  const pool = createBufferPool();
  assert.notEqual(pool.acquire(10).buffer, pool.acquire(10).buffer);
});

test('provides the smallest array that is large enough, and replaces one that is too small', () => {
  const pool = createBufferPool();
  const [small, large] = [pool.acquire(10), pool.acquire(1000)];
  pool.release(large, small);
  assert.equal(pool.acquire(5).buffer, small.buffer);
  pool.release(small);
  const lent = [pool.acquire(500), pool.acquire(500), pool.acquire(5)];
  assert.equal(lent[0]?.buffer, large.buffer);
  assert.notEqual(lent[2]?.buffer, small.buffer);
});
