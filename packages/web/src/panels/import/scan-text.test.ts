import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanText } from './scan-text.ts';

const scan = {
  status: 'running',
  found: 65_000,
  changed: 65_000,
  read: 1234,
  failed: 0,
  eta_seconds: 120,
  started_at: null,
  finished_at: null,
  error: null,
} as const;

test('shows files read and time left of a running scan', () => {
  assert.equal(scanText(scan), 'Reading the music folder: 1,234 of 65,000 files, about 2 min left');
  assert.equal(scanText({ ...scan, eta_seconds: null }), 'Reading the music folder: 1,234 of 65,000 files');
  assert.equal(
    scanText({ ...scan, changed: 0, read: 0, eta_seconds: null }),
    'Scanning the music folder: 65,000 files',
  );
});

test('shows the number of files, or of unreadable files, after a scan', () => {
  assert.equal(scanText({ ...scan, status: 'completed' }), '65,000 files in the music folder');
  assert.equal(scanText({ ...scan, status: 'never', found: 0 }), null);
  assert.equal(
    scanText({ ...scan, status: 'completed', failed: 2 }),
    '2 files of the music folder could not be read.',
  );
  assert.match(scanText({ ...scan, status: 'failed', error: 'no disk' }) ?? '', /failed: no disk/);
});
