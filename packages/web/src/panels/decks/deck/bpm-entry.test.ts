import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBpm } from './bpm-entry.ts';

test('a typed tempo is the change from the tempo of the track', () => {
  for (const [text, percent] of [
    ['120', 0],
    [' 126 ', 5],
    ['117,6', -2],
    ['60', -50],
    ['240', 100],
  ] as const) {
    const entry = parseBpm(text, 120);
    assert.ok('percent' in entry, text);
    assert.ok(Math.abs(entry.percent - percent) < 1e-9, `${text}: ${entry.percent}`);
  }
});

test('a tempo that the deck cannot play is refused with its limits', () => {
  for (const text of ['', 'fast', '1e2', '-120', '59', '241', 'Infinity'])
    assert.deepEqual(parseBpm(text, 120), { error: '60.0 to 240.0 BPM' }, text);
});
