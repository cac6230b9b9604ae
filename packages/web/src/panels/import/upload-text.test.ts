import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upload } from '../../state/uploads.state.ts';
import { countUploads, uploadsText } from './upload-text.ts';

const upload = (id: number, status: Upload['status'], sent = 0): Upload => ({
  id,
  name: `${id}.wav`,
  bytes: 100,
  sent,
  status,
  error: '',
  trackId: null,
  isKnown: false,
  isProject: false,
});

test('shows total, done, failed and the time left of a series of uploads', () => {
  const counts = countUploads([
    upload(1, 'accepted', 100),
    upload(2, 'sending', 50),
    upload(3, 'waiting'),
    upload(4, 'refused'),
    upload(5, 'failed', 20),
  ]);
  assert.deepEqual(counts, { total: 5, open: 2, done: 1, failed: 2, percent: 50 });
  assert.equal(uploadsText(counts, 120), 'Uploading: 1 of 5 files · 2 failed · 2 min left');
  assert.equal(uploadsText(counts, null), 'Uploading: 1 of 5 files · 2 failed');
});

test('shows the result of a finished series', () => {
  const counts = countUploads([upload(1, 'accepted', 100), upload(2, 'cancelled')]);
  assert.equal(counts.percent, 100);
  assert.equal(uploadsText(counts, 5), '1 file uploaded');
});

test('says that a series was cancelled', () => {
  const counts = countUploads([upload(1, 'cancelled'), upload(2, 'cancelled', 50)]);
  assert.equal(uploadsText(counts, null), '2 files cancelled');
});
