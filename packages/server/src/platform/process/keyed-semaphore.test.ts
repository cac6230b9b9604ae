import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

const never = new AbortController().signal;

test('limits the permits per owner, and waits until one is released', async () => {
  const semaphoreOf = createKeyedSemaphore(2);
  const [first] = [await semaphoreOf(1)(never), await semaphoreOf(1)(never)];
  let isIn = false;
  const third = semaphoreOf(1)(never).then((leave) => {
    isIn = true;
    return leave;
  });
  await semaphoreOf(2)(never);
  assert.equal(isIn, false);
  first();
  (await third)();
  assert.equal(isIn, true);
});

test('takes no permit after an abort while waiting', async () => {
  const semaphoreOf = createKeyedSemaphore(1);
  const leave = await semaphoreOf(1)(never);
  const leaving = new AbortController();
  const waiting = semaphoreOf(1)(leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  leave();
  (await semaphoreOf(1)(never))();
});
