import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectBeats, effectSpecs, effectTypes } from '@stem-studio/contract/decks/effects';
import { beatsText, fractionText, parameterText, wetText } from './effect-text.ts';

test('formats every parameter at both ends with its unit', () => {
  const texts = (type: (typeof effectTypes)[number]) =>
    effectSpecs[type].parameters.map((spec) => [parameterText(spec, 0), parameterText(spec, 1)]);
  assert.deepEqual(texts('echo'), [
    ['0 %', '98 %'],
    ['20 Hz', '2.0 kHz'],
    ['1.0 kHz', '20.0 kHz'],
  ]);
  assert.deepEqual(texts('filter').at(-1), ['Low-pass', 'High-pass']);
  assert.deepEqual(texts('reverb')[0], ['0.3 s', '12.0 s']);
  assert.deepEqual(texts('bitcrusher')[0], ['2.0 bits', '16.0 bits']);
  for (const type of effectTypes) for (const pair of texts(type)) assert.notEqual(pair[0], pair[1], type);
});

test('formats times in beats as fractions', () => {
  assert.deepEqual(effectBeats.map(fractionText), [
    '1/8',
    '1/4',
    '1/3',
    '1/2',
    '3/4',
    '1',
    '3/2',
    '2',
    '3',
    '4',
    '8',
    '16',
  ]);
  assert.deepEqual([beatsText(3), beatsText(5), beatsText(9)], ['1/2 beat', '1 beat', '4 beats']);
  assert.deepEqual([wetText(0), wetText(0.4), wetText(1)], ['dry', '40 %', 'effect only']);
});
