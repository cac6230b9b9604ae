import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importWords } from './import-words.ts';

const item = { track_id: 't', job_id: 'j', status: 'queued', existing: false } as const;

test('an import says what comes, what was there and what was left out', () => {
  assert.equal(importWords({ type: 'track', items: [item], skipped: [] }), '1 song on the way.');
  assert.equal(
    importWords({
      type: 'album',
      items: [item, item, { ...item, existing: true }],
      skipped: [{ title: 'Interlude', reason: 'no file' }],
    }),
    '2 songs on the way; 1 song in the library already; 1 song left out (“Interlude”: no file).',
  );
  assert.match(importWords({ type: 'playlist', items: [], skipped: [] }), /empty list/);
});
