import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSemaphore } from './semaphore.ts';

const never = new AbortController().signal;

test('runs at most as many tasks as there are permits, in order of arrival', async () => {
  const withPermit = createSemaphore(2);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    [0, 1, 2, 3, 4].map((number) =>
      withPermit(never, async () => {
        order.push(number);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    ),
  );
  assert.deepEqual(order, [0, 1, 2, 3, 4]);
  assert.equal(most, 2);
});

test('never runs a task that was aborted while waiting, and releases the permit of a failed one', async () => {
  const withPermit = createSemaphore(1);
  const leaving = new AbortController();
  const first = Promise.withResolvers<void>();
  const failing = withPermit(never, () => first.promise);
  const left = withPermit(leaving.signal, () => Promise.resolve(assert.fail('ran after it had left')));
  const last = withPermit(never, () => Promise.resolve('ran'));
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  first.reject(new Error('broken'));
  await assert.rejects(failing, /broken/);
  assert.equal(await last, 'ran');
});
