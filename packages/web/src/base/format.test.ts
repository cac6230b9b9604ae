import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bpmText, bytesText, clockText, countText, timeLeftText } from './format.ts';

test('formats times as minutes and seconds, with hours if needed', () => {
  assert.deepEqual([0, 61.9, 3661, Number.NaN, -3].map(clockText), [
    '0:00',
    '1:01',
    '1:01:01',
    '0:00',
    '0:00',
  ]);
});

test('rounds time left coarsely', () => {
  assert.deepEqual([null, 4, 34, 130, 5400].map(timeLeftText), [
    '',
    'a few seconds left',
    '30 s left',
    '2 min left',
    '1.5 h left',
  ]);
});

test('formats bytes, tempos and counts', () => {
  assert.deepEqual([512, 20_000, 4_200_000].map(bytesText), ['512 B', '20 kB', '4.2 MB']);
  assert.deepEqual([null, 0, 120, 97.25].map(bpmText), ['–', '–', '120', '97.25']);
  assert.deepEqual(
    [1, 2500].map((n) => countText(n, 'track')),
    ['1 track', '2,500 tracks'],
  );
});
