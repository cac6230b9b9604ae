import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyedTurns } from './keyed-turns.ts';

test('runs work per key in order despite failures, without blocking other keys, and keeps no entries', async () => {
  const turns = new KeyedTurns();
  const done: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = turns.take('a', async () => {
    await held.promise;
    done.push('first');
    throw new Error('no');
  });
  const failed = assert.rejects(first, /no/);
  const second = turns.take('a', async () => done.push('second'));
  await turns.take('b', async () => done.push('other'));
  assert.deepEqual(done, ['other']);
  held.resolve();
  await failed;
  assert.equal(await second, 3);
  assert.deepEqual(done, ['other', 'first', 'second']);
  await turns.take('a', async () => {});
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(turns.size, 0);
});
