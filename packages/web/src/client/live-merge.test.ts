import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobProgress } from '@stem-studio/contract/events/job-progress';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import type { Job } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import { withImportNews, withItems, withJobNews, withJobProgress, withoutItem } from './live-merge.ts';

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
const news: JobProgress = { ...state, job_id: newer, type: 'processing', track_id: trackId };
const track = { id: trackId, download: null, separation: null, analysis: null } as Track;

test('news of a separation stand in the track that it belongs to', () => {
  assert.deepEqual(withJobProgress(track, news).separation, { ...state, job_id: newer });
  const other = { ...track, id: older };
  assert.equal(withJobProgress(other, news), other);
});

test('late news of an older job do not hide the newer one', () => {
  const shown = withJobProgress(track, news);
  assert.equal(withJobProgress(shown, { ...news, job_id: older, progress: 99 }), shown);
});

test('a job list takes the news of a job it knows and asks for the others', () => {
  const job = { id: newer, ...state, progress: 10 } as Job;
  assert.equal(withJobNews([job], news)?.[0]?.progress, 40);
  assert.equal(withJobNews([], news), null);
});

test('a completed job stays completed', () => {
  const done = { id: newer, ...state, status: 'completed', progress: 100 } as Job;
  assert.equal(withJobNews([done], news)?.[0]?.status, 'completed');
});

test('a page that nothing changed on is the same object, so that nothing is drawn again', () => {
  const page = { data: [track], meta: { page: 1, page_size: 100, total_count: 1, total_pages: 1 } };
  assert.equal(
    withItems(page, (item) => item),
    page,
  );
  assert.equal(withoutItem(page, older), page);
  assert.deepEqual(withoutItem(page, trackId), { data: [], meta: { ...page.meta, total_count: 0 } });
});

test('a new import comes first, news replace it, and a finished one leaves the list', () => {
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
  const list = withImportNews(withImportNews([], one), two);
  assert.deepEqual(list, [two, one]);
  const half = { ...one, completed: 1, progress: 50 };
  assert.deepEqual(withImportNews(list, half), [two, half]);
  assert.deepEqual(withImportNews(list, { ...one, finished_at: '2026-01-01T00:01:00Z' }), [two]);
});
