import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptText } from './trash-text.ts';

test('says how long a deleted track can still be restored, never too long', () => {
  const hour = 3600;
  assert.deepEqual([30 * 24 * hour - 1, 24 * hour, 23.9 * hour, 5 * hour, hour, 59, 0].map(keptText), [
    '29 days left',
    '1 day left',
    '23 hours left',
    '5 hours left',
    '1 hour left',
    'less than an hour left',
    'less than an hour left',
  ]);
});
