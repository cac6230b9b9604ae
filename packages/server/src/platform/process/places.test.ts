import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaces } from './places.ts';

const never = new AbortController().signal;

test('limits the permits per owner, and waits until one is released', async () => {
  const placesOf = createPlaces(2);
  const [first] = [await placesOf(1)(never), await placesOf(1)(never)];
  let isIn = false;
  const third = placesOf(1)(never).then((leave) => {
    isIn = true;
    return leave;
  });
  await placesOf(2)(never);
  assert.equal(isIn, false);
  first();
  (await third)();
  assert.equal(isIn, true);
});

test('takes no permit after an abort while waiting', async () => {
  const placesOf = createPlaces(1);
  const leave = await placesOf(1)(never);
  const leaving = new AbortController();
  const waiting = placesOf(1)(leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  leave();
  (await placesOf(1)(never))();
});
