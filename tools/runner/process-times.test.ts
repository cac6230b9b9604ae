import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observeTree, type ProcessTimes, readProcessTimes } from './process-times.ts';

const times = (parent: number, own: number, waited = 0, start = '1'): ProcessTimes => ({
  parent,
  own,
  waited,
  start,
});

/** Observes process 10 at several moments and returns the sum after the last. */
function sumAfter(...moments: readonly (readonly (readonly [number, ProcessTimes])[])[]): number {
  const tree = observeTree(10);
  for (const moment of moments) tree.observe(new Map(moment));
  return tree.seconds();
}

test('sums a process and all below it, and no other', () => {
  const moment = [
    [12, times(11, 4)],
    [11, times(10, 2)],
    [10, times(1, 1)],
    [20, times(1, 100)],
  ] as const;
  assert.equal(sumAfter(moment), 7);
});

test('counts an ended child once: as waited for by its parent, or as last observed', () => {
  const before = [
    [10, times(1, 1)],
    [11, times(10, 2)],
  ] as const;
  assert.equal(sumAfter(before, [[10, times(1, 1, 2.5)]]), 3.5);
  assert.equal(sumAfter(before, [[10, times(1, 1)]]), 3);
});

test('keeps what outlives its parent, and distinguishes a process that got its number later', () => {
  const before = [
    [10, times(1, 1)],
    [11, times(10, 2)],
    [12, times(11, 4)],
  ] as const;
  const orphan = [
    [10, times(1, 1)],
    [12, times(1, 5)],
  ] as const;
  assert.equal(sumAfter(before, orphan), 8);
  const other = [
    [10, times(1, 1)],
    [12, times(1, 100, 0, '2')],
  ] as const;
  assert.equal(sumAfter(before, other), 7);
});

test('reads the times of this process where there is /proc', () => {
  const own = readProcessTimes().get(process.pid);
  if (process.platform !== 'linux') return assert.equal(own, undefined);
  assert.equal(own?.parent, process.ppid);
  assert.ok(own.own > 0 && own.own < 3600, JSON.stringify(own));
});
