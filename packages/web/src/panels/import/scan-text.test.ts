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

test('a scan under way says how many files it has read and how long it will take', () => {
  assert.equal(scanText(scan), 'Reading the music folder: 1,234 of 65,000 files, about 2 min left');
  assert.equal(scanText({ ...scan, eta_seconds: null }), 'Reading the music folder: 1,234 of 65,000 files');
  assert.equal(
    scanText({ ...scan, changed: 0, read: 0, eta_seconds: null }),
    'Scanning the music folder: 65,000 files',
  );
});

test('a scan that has ended says how many files there are, or how many could not be read', () => {
  assert.equal(scanText({ ...scan, status: 'completed' }), '65,000 files in the music folder');
  assert.equal(scanText({ ...scan, status: 'never', found: 0 }), null);
  assert.equal(
    scanText({ ...scan, status: 'completed', failed: 2 }),
    '2 files of the music folder could not be read.',
  );
  assert.match(scanText({ ...scan, status: 'failed', error: 'no disk' }) ?? '', /failed: no disk/);
});
