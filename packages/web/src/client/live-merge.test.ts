import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobProgress } from '@stem-studio/contract/events/job-progress';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import type { Job } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import { withImport, withItems, withJobEvent, withJobProgress, withoutItem } from './live-merge.ts';

const older = '0190a0b0-0000-7000-8000-000000000001';
const newer = '0190a0b0-0000-7000-8000-000000000002';
const trackId = '0190a0b0-0000-7000-8000-0000000000aa';

const state = {
  status: 'processing',
  progress: 40,
  message: 'Separating',
  eta_seconds: 9,
  error: null,
} as const;
const event: JobProgress = { ...state, job_id: newer, type: 'processing', track_id: trackId };
const track = { id: trackId, download: null, separation: null, analysis: null } as Track;

test('applies a separation event to its track', () => {
  assert.deepEqual(withJobProgress(track, event).separation, { ...state, job_id: newer });
  const other = { ...track, id: older };
  assert.equal(withJobProgress(other, event), other);
});

test('ignores late events of an older job', () => {
  const shown = withJobProgress(track, event);
  assert.equal(withJobProgress(shown, { ...event, job_id: older, progress: 99 }), shown);
});

test('updates a known job and requests a refetch for an unknown one', () => {
  const job = { id: newer, ...state, progress: 10 } as Job;
  assert.equal(withJobEvent([job], event)?.[0]?.progress, 40);
  assert.equal(withJobEvent([], event), null);
});

test('keeps a completed job completed', () => {
  const done = { id: newer, ...state, status: 'completed', progress: 100 } as Job;
  assert.equal(withJobEvent([done], event)?.[0]?.status, 'completed');
});

test('returns the same page object when nothing changed', () => {
  const page = { data: [track], meta: { page: 1, page_size: 100, total_count: 1, total_pages: 1 } };
  assert.equal(
    withItems(page, (item) => item),
    page,
  );
  assert.equal(withoutItem(page, older), page);
  assert.deepEqual(withoutItem(page, trackId), { data: [], meta: { ...page.meta, total_count: 0 } });
});

test('adds a new import first, updates it, and removes it when finished', () => {
  const one: LibraryImport = {
    id: 'a',
    type: 'album',
    title: 'A',
    status: 'running',
    total: 2,
    completed: 0,
    failed: 0,
    progress: 0,
    eta_seconds: null,
    created_at: '2026-01-01T00:00:00Z',
    finished_at: null,
  };
  const two = { ...one, id: 'b' };
  const list = withImport(withImport([], one), two);
  assert.deepEqual(list, [two, one]);
  const half = { ...one, completed: 1, progress: 50 };
  assert.deepEqual(withImport(list, half), [two, half]);
  assert.deepEqual(withImport(list, { ...one, finished_at: '2026-01-01T00:01:00Z' }), [two]);
});
