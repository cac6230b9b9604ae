import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOtherVersion, lengthText } from './source-text.ts';

test('compares the length of a source with the song', () => {
  assert.equal(lengthText({ duration_ms: 25_300, difference_ms: 300 }), '0:25 · same length as the song');
  assert.equal(lengthText({ duration_ms: 28_000, difference_ms: 3000 }), '0:28 · 3 s longer than the song');
  assert.equal(
    lengthText({ duration_ms: 11_000, difference_ms: -14_000 }),
    '0:11 · 14 s shorter than the song',
  );
  assert.equal(
    lengthText({ duration_ms: 36_000_000, difference_ms: 35_975_000 }),
    '10:00:00 · 10 h longer than the song',
  );
});

test('reports an unknown length', () => {
  assert.equal(lengthText({ duration_ms: null, difference_ms: null }), 'length unknown');
  assert.equal(lengthText({ duration_ms: 61_000, difference_ms: null }), '1:01');
});

test('treats more than ten seconds of difference as another version', () => {
  assert.equal(isOtherVersion({ difference_ms: -10_001 }), true);
  assert.equal(isOtherVersion({ difference_ms: 10_000 }), false);
  assert.equal(isOtherVersion({ difference_ms: null }), false);
});
