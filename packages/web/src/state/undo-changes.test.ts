import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { undoChanges } from './undo-changes.ts';

const track = (id: string, fields: Partial<Track>) =>
  ({ id, genre: '', year: null, tags: [], ...fields }) as Track;

test('returns tracks to their earlier values, with one change for each group of equal ones', () => {
  const tracks = [track('1', { genre: 'House' }), track('2', {}), track('3', { genre: 'House' })];
  assert.deepEqual(
    undoChanges(tracks, { genre: 'Techno', year: 1999 }).map(({ tracks: group, fields }) => [
      group.map(({ id }) => id),
      fields,
    ]),
    [
      [['1', '3'], { genre: 'House', year: null }],
      [['2'], { genre: '', year: null }],
    ],
  );
});

test('returns added and removed tags to the whole list of before', () => {
  const tracks = [track('1', { tags: ['late', 'warm'] })];
  assert.deepEqual(undoChanges(tracks, { add_tags: ['live'], remove_tags: ['late'] })[0]?.fields, {
    tags: ['late', 'warm'],
  });
});
