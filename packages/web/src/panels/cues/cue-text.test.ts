import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cuePositionText, cueRankText } from './cue-text.ts';

test('describes bar, origin and rank of a cue point', () => {
  const found = { bar: 33, source: 'auto', is_promoted: false, is_edited: false } as const;
  assert.equal(cuePositionText(found), 'bar 33');
  assert.equal(cuePositionText({ ...found, bar: 0 }), 'before bar 1');
  assert.equal(cuePositionText({ ...found, bar: null, source: 'manual' }), 'off beat · manual');
  assert.equal(cuePositionText({ ...found, source: 'manual', is_promoted: true }), 'bar 33 · promoted');
  assert.equal(cuePositionText({ ...found, is_edited: true }), 'bar 33 · edited');
  assert.equal(cueRankText({ rank: 3, confidence: 0.618 }), 'Rank 3 · 62 % confidence');
  assert.equal(cueRankText({ rank: null, confidence: null }), '');
});
