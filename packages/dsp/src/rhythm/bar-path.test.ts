import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BarWeights, decodeBars } from './bar-path.ts';
import { BAR_LENGTHS } from './time-signature.ts';

const even = BAR_LENGTHS.map(() => 0);
const usual = BAR_LENGTHS.map((length) => (length === 4 ? 0 : -1));
const weights: BarWeights = { features: [], bias: 0, lengths: [even, even] };

for (const beatsPerBar of BAR_LENGTHS) {
  test(`finds bars of ${beatsPerBar} beats and where they begin`, () => {
    const odds = Array.from({ length: 60 }, (_, index) => (index % beatsPerBar === 1 ? 2 : -2));
    const [best] = decodeBars(odds, weights, false);
    assert.equal(best?.beatsPerBar, beatsPerBar);
    assert.ok(best?.downbeats.every((index) => index % beatsPerBar === 1));
    assert.equal(best?.downbeats.length, odds.filter((value) => value > 0).length);
  });
}

test('prefers the most frequent length and the first beat without evidence', () => {
  const [best] = decodeBars(Array(40).fill(0), { ...weights, lengths: [usual, even] }, false);
  assert.equal(best?.beatsPerBar, 4);
  assert.deepEqual(best?.downbeats.slice(0, 3), [0, 4, 8]);
});

test('begins a bar early where the evidence is strong', () => {
  const downbeats = new Set([0, 4, 8, 12, 14, 18, 22, 26, 30, 34, 38]);
  const odds = Array.from({ length: 40 }, (_, index) => (downbeats.has(index) ? 3 : -3));
  assert.deepEqual(decodeBars(odds, weights, false)[0]?.downbeats, [...downbeats]);
});
