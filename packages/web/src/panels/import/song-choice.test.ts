import assert from 'node:assert/strict';
import { test } from 'node:test';
import { artistOf, type ImportPreview, newSongs, songsOf } from './song-choice.ts';

const song = (catalog_id: string, artist = 'Ebb') => ({
  catalog_id,
  title: catalog_id,
  artist,
  album: 'Moon',
  album_art_url: null,
  duration: 3,
  duration_ms: 3000,
  catalog_url: `catalog:track:${catalog_id}`,
  genre: '',
  isrc: null,
  explicit: false,
});
const preview: ImportPreview = {
  item: { type: 'album', title: 'Moon', tracks: [song('a'), song('b'), song('a'), song('c')], skipped: [] },
  library: [{ catalog_id: 'b', track_id: '01936f3c-5b1e-7000-8000-000000000001' }],
};

test('lists each song once and chooses those that are not in the library', () => {
  assert.deepEqual(
    songsOf(preview).map(({ catalog_id }) => catalog_id),
    ['a', 'b', 'c'],
  );
  assert.deepEqual([...newSongs(preview)], ['a', 'c']);
});

test('an album of several artists is one of various artists', () => {
  assert.equal(artistOf([song('a'), song('b')]), 'Ebb');
  assert.equal(artistOf([song('a'), song('b', 'Flow')]), 'Various artists');
  assert.equal(artistOf([]), '');
});
