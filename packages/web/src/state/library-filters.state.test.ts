import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTrackSearch } from '@stem-studio/contract/track-search';
import { filterTerms, type LibraryFilters, noFilters } from './library-filters.state.ts';

const termsOf = (filters: Partial<LibraryFilters>) =>
  filterTerms({ ...noFilters, ...filters }).map(({ term }) => term);

test('writes each filter as a term of the search language', () => {
  const filters: Partial<LibraryFilters> = {
    bpmFrom: '120',
    bpmTo: '128,5',
    key: 'A minor',
    isKeyNear: true,
    tag: 'late "night"',
    genre: 'house',
    yearFrom: '1990',
    rating: 4,
    stems: 'no',
  };
  const terms = termsOf(filters);
  assert.deepEqual(terms, [
    'bpm:120-128,5',
    '~key:"A minor"',
    'tag:"late  night"',
    'genre:"house"',
    'year:>=1990',
    'rating:>=4',
    'stems:no',
  ]);
  const kinds = parseTrackSearch(terms.join(' ')).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['bpm', 'near_key', 'field', 'field', 'number', 'number', 'stems']);
});

test('ignores values that are no numbers, and removes a filter by its own values', () => {
  assert.deepEqual(termsOf({ bpmFrom: 'fast', yearTo: '99' }), []);
  assert.deepEqual(termsOf({ bpmFrom: 'fast', bpmTo: '100' }), ['bpm:<=100']);
  const filters = { ...noFilters, bpmTo: '100', rating: 3 };
  const [first] = filterTerms(filters);
  assert.deepEqual(termsOf({ ...filters, ...first?.without }), ['rating:>=3']);
});
