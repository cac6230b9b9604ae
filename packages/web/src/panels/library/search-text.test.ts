import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTrackSearch } from '@stem-studio/contract/track-search';
import { searchText } from './search-text.ts';

const said = (search: string) => searchText(parseTrackSearch(search));

test('the page says how it understood each part of a search', () => {
  assert.deepEqual(said('night -live bpm:120-128 ~key:8A tag:"late hour"').understood, [
    '“night”',
    'not “live”',
    'tempo 120 to 128',
    'keys that go with A minor (8A)',
    'tag with “late hour”',
  ]);
  assert.deepEqual(said('key:Bb ~bpm:87').understood, [
    'A# major (6B)',
    'tempo within 8 % of 87, its half or its double',
  ]);
  for (const [search, words] of [
    ['bpm:124', 'tempo 124'],
    ['bpm:>120', 'tempo over 120'],
    ['bpm:>=120', 'tempo 120 or more'],
    ['bpm:<120', 'tempo under 120'],
    ['bpm:<=120', 'tempo up to 120'],
  ] as const)
    assert.deepEqual(said(search).understood, [words]);
});

test('the page says what it did not understand, and that it looks for it as it stands', () => {
  assert.deepEqual(said('deep bpm:fast').troubles, [
    '“bpm:fast” is searched as it stands: a tempo is a number, a range such as 120-128, or >120',
  ]);
  assert.deepEqual(said('II:Date').troubles, []);
});
