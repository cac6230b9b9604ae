import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestCues } from '../../state/best-cues.ts';
import { cueLabelText, cuePositionText, cueRankText } from './cue-text.ts';

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

test('spells the keys in detected labels, and leaves the labels of users as they are', () => {
  const label = 'Key changes to A# minor';
  assert.equal(cueLabelText({ label, source: 'auto' }), 'Key changes to B♭ minor');
  assert.equal(cueLabelText({ label, source: 'manual' }), label);
  assert.equal(cueLabelText({ label: 'Drop 2', source: 'auto' }), 'Drop 2');
});

test('lists the ten detected cue points of the best rank and all of the user, in their order', () => {
  const cue = (rank: number | null, more: object = {}) => ({
    rank,
    source: 'auto' as const,
    is_promoted: false,
    is_edited: false,
    ...more,
  });
  const detected = Array.from({ length: 26 }, (_, at) => cue(((at * 7) % 26) + 1));
  const own = [cue(null, { source: 'manual' }), cue(26, { is_promoted: true }), cue(25, { is_edited: true })];
  const shown = bestCues([...detected, ...own]);
  assert.deepEqual(
    shown.map(({ rank }) => rank),
    [...detected.flatMap(({ rank }) => (rank !== null && rank <= 10 ? [rank] : [])), null, 26, 25],
  );
  assert.deepEqual(bestCues(detected.slice(0, 10)), detected.slice(0, 10));
});
