import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch } from './batch.ts';

/** A batch whose questions are answered when the test says so, with what was asked so far. */
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

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('questions of one moment are asked together, and each has its own answer', async () => {
  const { asked, ask } = held();
  const answers = [ask(1), ask(2), ask(1)];
  await turn();
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [[1, 2, 1]],
  );
  asked[0]?.answer();
  assert.deepEqual(await Promise.all(answers), ['1', '2', '1']);
});

test('who comes while a batch is under way is answered by the next one, never by that one', async () => {
  const { asked, ask } = held();
  const early = ask(1);
  await turn();
  const late = [ask(1), ask(2), ask(3), ask(4)];
  asked[0]?.answer();
  assert.equal(await early, '1');
  await turn();
  assert.deepEqual(asked[1]?.keys, [1, 2, 3]);
  asked[1]?.answer();
  await turn();
  assert.deepEqual(asked[2]?.keys, [4]);
  asked[2]?.answer();
  assert.deepEqual(await Promise.all(late), ['1', '2', '3', '4']);
});

test('a batch that fails fails for those who are in it, and not for the next', async () => {
  const { asked, ask } = held();
  const first = assert.rejects(ask(1), /no answer/);
  await turn();
  const second = ask(2);
  asked[0]?.fail();
  await first;
  await turn();
  asked[1]?.answer();
  assert.equal(await second, '2');
});
