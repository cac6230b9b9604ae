import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCoverCache } from './cover-cache.ts';

function openCache(answer: (address: string) => Uint8Array | null) {
  const asked: string[] = [];
  const clock = { nowMs: 0, now: () => new Date(0), monotonicMs: () => clock.nowMs };
  const cache = createCoverCache((address) => {
    asked.push(address);
    const bytes = answer(address);
    return Promise.resolve(bytes && { bytes, mediaType: 'image/png' });
  }, clock);
  return { asked, clock, cache };
}

test('fetches an image once for concurrent and later requests', async () => {
  const { asked, cache } = openCache(() => new Uint8Array(3));
  await Promise.all([cache('a'), cache('a'), cache('b')]);
  assert.equal((await cache('a'))?.bytes.length, 3);
  assert.deepEqual(asked, ['a', 'b']);
});

test('requests a failed image again after a minute', async () => {
  const { asked, clock, cache } = openCache(() => null);
  assert.equal(await cache('a'), null);
  clock.nowMs = 59_999;
  assert.equal(await cache('a'), null);
  assert.equal(asked.length, 1);
  clock.nowMs = 60_001;
  assert.equal(await cache('a'), null);
  assert.equal(asked.length, 2);
});

test('drops the oldest images when all together exceed 32 MB', async () => {
  const { asked, cache } = openCache(() => new Uint8Array(20_000_000));
  await cache('a');
  await cache('b');
  await cache('b');
  assert.deepEqual(asked, ['a', 'b']);
  await cache('a');
  assert.deepEqual(asked, ['a', 'b', 'a']);
});
