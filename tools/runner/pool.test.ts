import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type PoolLimits, runPool } from './pool.ts';
import { createCapacityMeter } from './processor-load.ts';

/** Runs tasks of the given kinds, which end only when the test ends them. */
function startPool(kinds: readonly string[], limits: PoolLimits) {
  const started: number[] = [];
  const ends = kinds.map(() => Promise.withResolvers<void>());
  const tasks = kinds.map((kind, index) => ({
    kind,
    run() {
      started.push(index);
      return ends[index]?.promise ?? Promise.resolve();
    },
  }));
  const ended = runPool(tasks, limits);
  const end = async (index: number) => {
    ends[index]?.resolve();
    await nextTick();
  };
  return { started, end, ended };
}

test('starts tasks in order, as many as always run, and the next when one ends', async () => {
  const { started, end, ended } = startPool(['a', 'a', 'a'], { least: 2, most: 4, hasCapacity: () => false });
  assert.deepEqual(started, [0, 1]);
  await end(1);
  assert.deepEqual(started, [0, 1, 2]);
  await Promise.all([end(0), end(2), ended]);
});

test('starts more tasks while there is capacity, up to the largest number', async () => {
  const { started, end, ended } = startPool(['a', 'a', 'a', 'a'], {
    least: 1,
    most: 3,
    hasCapacity: () => true,
  });
  assert.deepEqual(started, [0, 1, 2]);
  await Promise.all([0, 1, 2, 3].map(end));
  await ended;
});

test('lets other kinds overtake a task whose kind has reached its limit', async () => {
  const limits = { least: 3, most: 3, mostOfKind: { a: 1 }, hasCapacity: () => false };
  const { started, end, ended } = startPool(['a', 'a', 'b'], limits);
  assert.deepEqual(started, [0, 2]);
  await end(0);
  assert.deepEqual(started, [0, 2, 1]);
  await Promise.all([end(1), end(2), ended]);
});

test('fails with the error of a task', async () => {
  const broken = { kind: 'a', run: () => Promise.reject(new Error('cannot start')) };
  await assert.rejects(runPool([broken], { least: 1, most: 1, hasCapacity: () => false }), /cannot start/);
});

test('there is capacity when the processors were idle for a second, once in a second and a half', () => {
  let nowMs = 0;
  const times = { idle: 0, all: 0 };
  const hasCapacity = createCapacityMeter(
    () => ({ ...times }),
    () => nowMs,
  );
  const pass = (ms: number, idleShare: number) => {
    nowMs += ms;
    times.all += 2 * ms;
    times.idle += 2 * ms * idleShare;
    return hasCapacity();
  };
  assert.equal(pass(500, 1), false, 'measured for half a second');
  assert.equal(pass(600, 1), true);
  assert.equal(pass(600, 1), false, 'the started task may not show yet');
  assert.equal(pass(1000, 0.5), true);
  assert.equal(pass(2000, 0.1), false, 'busy');
  assert.equal(pass(1100, 0.1), false);
});
