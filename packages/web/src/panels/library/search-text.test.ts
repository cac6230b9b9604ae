import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTrackSearch } from '@stem-studio/contract/track-search';
import { searchText } from './search-text.ts';

const textsOf = (search: string) => searchText(parseTrackSearch(search));

test('describes each term of a search', () => {
  assert.deepEqual(textsOf('night -live bpm:120-128 ~key:8A tag:"late hour"').understood, [
    '“night”',
    'not “live”',
    'tempo 120 to 128',
    'keys compatible with A minor (8A)',
    'tag with “late hour”',
  ]);
  assert.deepEqual(textsOf('key:Bb ~bpm:87').understood, [
    'B♭ major (6B)',
    'tempo within 8 % of 87, its half or its double',
  ]);
  for (const [search, text] of [
    ['bpm:124', 'tempo 124'],
    ['bpm:>120', 'tempo over 120'],
    ['bpm:>=120', 'tempo 120 or more'],
    ['bpm:<120', 'tempo under 120'],
    ['bpm:<=120', 'tempo up to 120'],
  ] as const)
    assert.deepEqual(textsOf(search).understood, [text]);
});

test('reports terms that are searched as text', () => {
  assert.deepEqual(textsOf('deep bpm:fast').troubles, [
    '“bpm:fast” is searched as text: a tempo is a number, a range such as 120-128, or >120',
  ]);
  assert.deepEqual(textsOf('II:Date').troubles, []);
});
