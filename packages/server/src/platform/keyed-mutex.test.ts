import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyedMutex } from './keyed-mutex.ts';

test('runs work per key in order despite failures, without blocking other keys, and keeps no entries', async () => {
  const mutex = new KeyedMutex();
  const done: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = mutex.runExclusive('a', async () => {
    await held.promise;
    done.push('first');
    throw new Error('no');
  });
  const failed = assert.rejects(first, /no/);
  const second = mutex.runExclusive('a', async () => done.push('second'));
  await mutex.runExclusive('b', async () => done.push('other'));
  assert.deepEqual(done, ['other']);
  held.resolve();
  await failed;
  assert.equal(await second, 3);
  assert.deepEqual(done, ['other', 'first', 'second']);
  await mutex.runExclusive('a', async () => {});
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(mutex.size, 0);
});
