import assert from 'node:assert/strict';
import { test } from 'node:test';
import { camelotOf } from './camelot.ts';

test('maps every key to its code on the Camelot wheel', () => {
  const wheel = {
    '1A': 'G# minor',
    '2A': 'D# minor',
    '3A': 'A# minor',
    '4A': 'F minor',
    '5A': 'C minor',
    '6A': 'G minor',
    '7A': 'D minor',
    '8A': 'A minor',
    '9A': 'E minor',
    '10A': 'B minor',
    '11A': 'F# minor',
    '12A': 'C# minor',
    '1B': 'B major',
    '2B': 'F# major',
    '3B': 'C# major',
    '4B': 'G# major',
    '5B': 'D# major',
    '6B': 'A# major',
    '7B': 'F major',
    '8B': 'C major',
    '9B': 'G major',
    '10B': 'D major',
    '11B': 'A major',
    '12B': 'E major',
  };
  for (const [code, key] of Object.entries(wheel)) assert.equal(camelotOf(key), code, key);
});

test('returns no code without a tonality', () => {
  for (const key of ['', 'H minor', 'A', 'A dorian', 'Db major']) assert.equal(camelotOf(key), '', key);
});
