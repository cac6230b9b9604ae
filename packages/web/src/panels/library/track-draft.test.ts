import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { draftOf, patchOf, withTyped } from './track-draft.ts';

const track = { title: 'One', artist: 'A', album: '', bpm: 120, key: 'A minor', tags: ['x'] } as Track;

test('only what was changed is sent', () => {
  assert.deepEqual(patchOf(track, draftOf(track)), { patch: {}, errors: {} });
  const { patch } = patchOf(track, { ...draftOf(track), title: ' Two ', bpm: '98,5', tags: ['x', 'y'] });
  assert.deepEqual(patch, { title: 'Two', bpm: 98.5, tags: ['x', 'y'] });
});

test('an empty tempo is no tempo', () => {
  assert.deepEqual(patchOf(track, { ...draftOf(track), bpm: '' }).patch, { bpm: null });
});

test('what the contract refuses is told beside its field', () => {
  const { errors } = patchOf(track, { ...draftOf(track), title: '', bpm: 'fast' });
  assert.equal(errors.title, 'must not be empty');
  assert.match(errors.bpm ?? '', /20 to 400/);
});

test('typed tags are split at commas, trimmed, and none stands twice', () => {
  assert.deepEqual(withTyped(['a'], ' b, a ,, c '), ['a', 'b', 'c']);
});
