import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStemPresenceDetector } from './stem-presence.ts';

/** What is absent from a song whose segments speak so for a guitar. */
function absentOf(guitar: readonly number[]): string[] {
  const detector = createStemPresenceDetector();
  for (const logOdds of guitar) detector.add({ guitar: logOdds });
  return detector.absent();
}

test('an instrument that is unlikely in every segment is absent', () => {
  assert.deepEqual(absentOf([-2, -1, -3, -0.5]), ['guitar']);
});

test('an instrument that plays in a quarter of the song is present', () => {
  assert.deepEqual(absentOf([-3, -3, -3, -3, -3, -3, 2, 1]), []);
});

test('one wrong segment of many does not make an instrument present', () => {
  assert.deepEqual(absentOf([0.5, ...Array.from({ length: 15 }, () => -3)]), ['guitar']);
});

test('a song of one segment is decided by it', () => {
  assert.deepEqual([absentOf([1]), absentOf([-1])], [[], ['guitar']]);
});

test('stems without an estimate are present', () => {
  const detector = createStemPresenceDetector();
  detector.add({});
  assert.deepEqual(detector.absent(), []);
});
