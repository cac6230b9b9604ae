import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { draftOf, patchOf, withTyped } from './track-draft.ts';

const track = {
  title: 'One',
  artist: 'A',
  album: '',
  genre: '',
  year: null,
  rating: 0,
  comment: '',
  bpm: 120,
  key: 'A minor',
  tags: ['x'],
} as unknown as Track;

test('patches only changed fields', () => {
  assert.deepEqual(patchOf(track, draftOf(track)), { patch: {}, errors: {} });
  const { patch } = patchOf(track, { ...draftOf(track), title: ' Two ', bpm: '98,5', tags: ['x', 'y'] });
  assert.deepEqual(patch, { title: 'Two', bpm: 98.5, tags: ['x', 'y'] });
});

test('clears the tempo when the field is empty', () => {
  assert.deepEqual(patchOf(track, { ...draftOf(track), bpm: '' }).patch, { bpm: null });
});

test('patches genre, year, rating and comment, and clears the year when its field is empty', () => {
  const draft = { ...draftOf(track), genre: ' Disco ', year: '1999', rating: 4, comment: 'Long intro' };
  assert.deepEqual(patchOf(track, draft).patch, {
    genre: 'Disco',
    year: 1999,
    rating: 4,
    comment: 'Long intro',
  });
  const dated = { ...track, year: 1999 };
  assert.deepEqual(patchOf(dated, { ...draftOf(dated), year: '' }).patch, { year: null });
  assert.match(patchOf(track, { ...draftOf(track), year: 'soon' }).errors.year ?? '', /four digits/);
});

test('reports errors of the contract per field', () => {
  const { errors } = patchOf(track, { ...draftOf(track), title: '', bpm: 'fast' });
  assert.equal(errors.title, 'must not be empty');
  assert.match(errors.bpm ?? '', /20 to 400/);
});

test('splits tags at commas, trims them and removes duplicates', () => {
  assert.deepEqual(withTyped(['a'], ' b, a ,, c '), ['a', 'b', 'c']);
});
