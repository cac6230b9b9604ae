import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText, fullMomentText, momentText } from './time-text.ts';

const timeZone = 'Europe/Berlin';
const now = new Date('2026-11-23T00:30:00Z');

test('shows the time of today, the day of this year and the year of others, in the zone of the user', () => {
  assert.equal(momentText(new Date('2026-11-22T23:05:00Z'), now, { timeZone }), '00:05');
  assert.equal(momentText(new Date('2026-11-22T22:05:00Z'), now, { timeZone }), '22 Nov, 23:05');
  assert.equal(momentText(new Date('2025-12-31T22:59:00Z'), now, { timeZone }), '31 Dec 2025, 23:59');
  assert.match(fullMomentText(now, { timeZone }), /Monday.*23 November 2026.*01:30:00/);
});

test('shows durations in two units at most', () => {
  assert.deepEqual([0, 0.44, 1, 59.4, 60, 190, 3600, 3900, 90_000].map(durationText), [
    '0.1 s',
    '0.4 s',
    '1 s',
    '59 s',
    '1 min',
    '3 min 10 s',
    '1 h',
    '1 h 5 min',
    '25 h',
  ]);
});
