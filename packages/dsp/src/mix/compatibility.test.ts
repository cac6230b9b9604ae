import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { keyAt } from '../tonal/camelot.ts';
import { compatibility } from './compatibility.ts';

const playing = { bpm: 124, key: 'A minor' };

test('scores songs of the same key and tempo best and gives the reasons', () => {
  const same = compatibility(playing, playing);
  assert.deepEqual([same.score, same.verdict], [1, 'fits']);
  assert.deepEqual(same.reasons, ['same key (8A)', 'same tempo']);
});

test('gives both key and tempo as reasons, for and against', () => {
  const of = (bpm: number | null, key: string) => compatibility(playing, { bpm, key });
  assert.deepEqual(of(120, 'E minor').reasons, ['one step up the wheel (9A)', '3.3 % faster']);
  assert.deepEqual(of(62, 'C major').reasons, ['relative major (8B)', 'at half tempo']);
  assert.deepEqual(of(250, 'D minor').reasons, [
    'one step down the wheel (7A)',
    'at double tempo, 0.8 % slower',
  ]);
  assert.deepEqual(of(124, 'B minor').reasons, ['energy boost, a tone up (10A)', 'same tempo']);
  assert.deepEqual(of(124, 'A# minor').reasons, ['energy boost, a semitone up (3A)', 'same tempo']);
  assert.deepEqual(of(100, 'F# major').reasons, [
    'keys clash (8A and 2B)',
    'tempo out of reach (24.0 % faster)',
  ]);
  assert.deepEqual(of(null, '').reasons, ['key unknown', 'tempo unknown']);
});

test('limits a verdict to the worse of key and tempo', () => {
  const of = (bpm: number | null, key: string) => compatibility(playing, { bpm, key }).verdict;
  assert.equal(of(126, 'D minor'), 'fits');
  assert.equal(of(126, 'B minor'), 'lifts');
  assert.equal(of(126, 'G minor'), 'clashes');
  assert.equal(of(100, 'A minor'), 'clashes');
  assert.equal(of(null, 'A minor'), 'unsure');
  assert.equal(of(126, ''), 'unsure');
  assert.equal(of(null, 'G minor'), 'clashes');
});

test('accepts more songs with a wider range', () => {
  const slow = { bpm: 110, key: 'A minor' };
  assert.equal(compatibility(playing, slow).verdict, 'clashes');
  assert.equal(compatibility(playing, slow, 16).verdict, 'fits');
});

const song = fc.record({
  bpm: fc.option(fc.double({ min: 20, max: 400, noNaN: true })),
  key: fc.oneof(
    fc.constant(''),
    fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('A', 'B')).map(([n, ring]) => keyAt(n, ring)),
  ),
});

test('gives scores from 0 to 1, higher for any fit than for any clash of keys', () => {
  fc.assert(
    fc.property(song, song, song, (a, b, c) => {
      const first = compatibility(a, b);
      assert.ok(first.score > 0 && first.score <= 1);
      assert.equal(first.reasons.length, 2);
      const second = compatibility(a, c);
      if (first.verdict === 'fits' && second.key === 'clash') assert.ok(first.score > second.score);
    }),
  );
});
