import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cuePositionText, cueRankText } from './cue-text.ts';

test('a cue point says in words where it stands, whose it is, and how useful it is found', () => {
  const found = { bar: 33, source: 'auto', is_promoted: false, is_edited: false } as const;
  assert.equal(cuePositionText(found), 'bar 33');
  assert.equal(cuePositionText({ ...found, bar: 0 }), 'before bar 1');
  assert.equal(cuePositionText({ ...found, bar: null, source: 'manual' }), 'on no beat · your own');
  assert.equal(cuePositionText({ ...found, source: 'manual', is_promoted: true }), 'bar 33 · promoted');
  assert.equal(cuePositionText({ ...found, is_edited: true }), 'bar 33 · edited');
  assert.equal(cueRankText({ rank: 3, confidence: 0.618 }), 'Number 3 by use, 62 % sure');
  assert.equal(cueRankText({ rank: null, confidence: null }), '');
});
