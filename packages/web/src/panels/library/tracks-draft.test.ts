import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { changeOf, keptDraft, sharedText, tagsOf } from './tracks-draft.ts';

const draft = (texts: object, others: object = {}) => ({
  ...keptDraft,
  ...others,
  texts: { ...keptDraft.texts, ...texts },
});

test('changes only the fields that are not kept; an empty field is cleared', () => {
  assert.equal(changeOf(keptDraft).change, null);
  assert.deepEqual(
    changeOf(draft({ genre: ' Disco ', year: '', comment: '' }, { rating: 0, addedTags: ['late'] })).change,
    { genre: 'Disco', year: null, comment: '', rating: 0, add_tags: ['late'] },
  );
});

test('reports a year that is none', () => {
  for (const year of ['99', 'soon', '19.5'])
    assert.match(changeOf(draft({ year })).errors['year'] ?? '', /four digits/);
  assert.deepEqual(changeOf(draft({ year: '1999' })).errors, {});
});

test('finds the shared value of a field and the tags of all tracks', () => {
  const tracks = [
    { genre: 'House', year: null, tags: ['b', 'a'] },
    { genre: 'Techno', year: null, tags: ['b'] },
  ] as unknown as Track[];
  assert.equal(sharedText(tracks, 'genre'), null);
  assert.equal(sharedText(tracks, 'year'), '');
  assert.deepEqual(tagsOf(tracks), ['b', 'a']);
});
