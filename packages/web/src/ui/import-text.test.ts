import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importOutcomeText, importProgressText, importText, sumOfImports } from './import-text.ts';

const item = { track_id: 't', job_id: 'j', status: 'queued', existing: false } as const;

test('counts new, existing and skipped songs', () => {
  assert.equal(importText({ type: 'track', items: [item], skipped: [] }), 'Importing 1 song.');
  assert.equal(
    importText({
      type: 'album',
      items: [item, { ...item, existing: true }, { ...item, existing: true, status: 'completed' }],
      skipped: [{ title: 'Interlude', reason: 'no file' }],
    }),
    'Importing 2 songs; 1 song already in the library; 1 song skipped (“Interlude”: no file).',
  );
  assert.match(importText({ type: 'playlist', items: [], skipped: [] }), /list is empty/);
});

test('shows progress, failures and time left of a running import', () => {
  const one = {
    id: 'i',
    type: 'playlist',
    title: 'Night drive',
    status: 'running',
    total: 200,
    completed: 10,
    failed: 0,
    progress: 5,
    eta_seconds: null,
    created_at: '2026-01-01T00:00:00Z',
    finished_at: null,
  } as const;
  assert.equal(importProgressText(one), '10 of 200 songs');
  assert.equal(
    importProgressText({ ...one, failed: 2, eta_seconds: 20 }),
    '12 of 200 songs · 2 failed · 20 s left',
  );
});

test('sums up several imports', () => {
  const one = {
    id: 'i',
    type: 'playlist',
    title: 'Night drive',
    status: 'running',
    total: 200,
    completed: 10,
    failed: 0,
    progress: 5,
    eta_seconds: 60,
    created_at: '2026-01-01T00:00:00Z',
    finished_at: null,
  } as const;
  const sum = sumOfImports([one, { ...one, total: 100, completed: 50, failed: 5, eta_seconds: 180 }]);
  assert.equal(importProgressText(sum), '65 of 300 songs · 5 failed · 3 min left');
  assert.equal(sum.progress, 21);
});

test('summarises a finished import', () => {
  const one = {
    id: 'i',
    type: 'playlist',
    title: 'Night drive',
    status: 'completed',
    total: 1000,
    completed: 998,
    failed: 2,
    progress: 100,
    eta_seconds: null,
    created_at: '2026-01-01T00:00:00Z',
    finished_at: '2026-01-01T01:00:00Z',
  } as const;
  assert.equal(importOutcomeText(one), 'Done: 998 songs imported, 2 failed');
  assert.equal(importOutcomeText({ ...one, completed: 1000, failed: 0 }), 'Done: 1,000 songs imported');
  assert.equal(
    importOutcomeText({ ...one, status: 'cancelled', completed: 1, failed: 999 }),
    'Cancelled: 1 of 1,000 songs imported',
  );
});
