import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch } from './batch.ts';

/** Creates a batch that the test completes, and records the lookups. */
function held() {
  const asked: { keys: readonly number[]; answer: () => void; fail: () => void }[] = [];
  const ask = createBatch<number, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    asked.push({
      keys,
      answer: () => resolve(keys.map(String)),
      fail: () => reject(new Error('no answer')),
    });
    return promise;
  }, 3);
  return { asked, ask };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test('combines concurrent lookups and returns each its own result', async () => {
  const { asked, ask } = held();
  const answers = [ask(1), ask(2), ask(1)];
  await nextTick();
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [[1, 2, 1]],
  );
  asked[0]?.answer();
  assert.deepEqual(await Promise.all(answers), ['1', '2', '1']);
});

test('serves a lookup that arrives during a batch with the next batch', async () => {
  const { asked, ask } = held();
  const early = ask(1);
  await nextTick();
  const late = [ask(1), ask(2), ask(3), ask(4)];
  asked[0]?.answer();
  assert.equal(await early, '1');
  await nextTick();
  assert.deepEqual(asked[1]?.keys, [1, 2, 3]);
  asked[1]?.answer();
  await nextTick();
  assert.deepEqual(asked[2]?.keys, [4]);
  asked[2]?.answer();
  assert.deepEqual(await Promise.all(late), ['1', '2', '3', '4']);
});

test('rejects only the lookups of a failed batch', async () => {
  const { asked, ask } = held();
  const first = assert.rejects(ask(1), /no answer/);
  await nextTick();
  const second = ask(2);
  asked[0]?.fail();
  await first;
  await nextTick();
  asked[1]?.answer();
  assert.equal(await second, '2');
});
