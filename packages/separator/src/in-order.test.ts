import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { mapInOrder } from './in-order.ts';

async function* count(to: number): AsyncGenerator<number> {
  for (let i = 0; i < to; i++) yield i;
}

test('results keep the order of the items, and no more than allowed run at once', async () => {
  let running = 0;
  let most = 0;
  const results: number[] = [];
  const work = async (i: number): Promise<number> => {
    running++;
    most = Math.max(most, running);
    await wait(i % 2 === 0 ? 10 : 1);
    running--;
    return i * 10;
  };
  for await (const result of mapInOrder(count(7), 3, work)) results.push(result);
  assert.deepEqual(results, [0, 10, 20, 30, 40, 50, 60]);
  assert.equal(most, 3);
});

test('the first error ends the iteration and is thrown', async () => {
  const work = async (i: number): Promise<number> => {
    if (i === 2) throw new Error('the third cannot be done');
    return i;
  };
  const seen: number[] = [];
  await assert.rejects(async () => {
    for await (const result of mapInOrder(count(50), 2, work)) seen.push(result);
  }, /the third cannot be done/);
  assert.deepEqual(seen, [0, 1]);
});
