import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenForStems } from './absent-stems.ts';

/** What is absent from a song whose segments speak so for a guitar. */
function absentOf(guitar: readonly number[]): string[] {
  const listener = listenForStems();
  for (const logOdds of guitar) listener.hear({ guitar: logOdds });
  return listener.absent();
}

test('an instrument that no segment speaks for is absent', () => {
  assert.deepEqual(absentOf([-2, -1, -3, -0.5]), ['guitar']);
});

test('an instrument that plays in a quarter of the song is in it', () => {
  assert.deepEqual(absentOf([-3, -3, -3, -3, -3, -3, 2, 1]), []);
});

test('one segment of many that errs does not put an instrument into a song', () => {
  assert.deepEqual(absentOf([0.5, ...Array.from({ length: 15 }, () => -3)]), ['guitar']);
});

test('a song of one segment is judged by that', () => {
  assert.deepEqual([absentOf([1]), absentOf([-1])], [[], ['guitar']]);
});

test('stems of which nothing is said are there', () => {
  const listener = listenForStems();
  listener.hear({});
  assert.deepEqual(listener.absent(), []);
});
