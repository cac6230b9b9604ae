import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import {
  allSelected,
  clearSelection,
  deselect,
  select,
  selectedTracks,
  selectIds,
  selection,
  targetsOf,
  toggleSelected,
} from './selection.state.ts';

const track = (id: string) => ({ id, title: `Title ${id}` }) as Track;
const ids = () => [...selection.getState().ids];

beforeEach(clearSelection);

test('adds and removes single tracks', () => {
  toggleSelected(track('1'));
  toggleSelected(track('2'));
  toggleSelected(track('1'));
  assert.deepEqual(ids(), ['2']);
  assert.deepEqual(
    selectedTracks().map(({ title }) => title),
    ['Title 2'],
  );
});

test('keeps the order of the list and the tracks that are not loaded', () => {
  select([track('3')]);
  selectIds(['1', '2', '3'], [track('1')]);
  assert.deepEqual(allSelected(), [track('1'), { id: '2', title: '' }, track('3')]);
  assert.deepEqual(selectedTracks(), [track('1'), track('3')]);
});

test('an action on a row changes the selection only if the row is in it', () => {
  select([track('1'), track('2')]);
  assert.deepEqual(targetsOf(track('2')), [track('1'), track('2')]);
  assert.deepEqual(targetsOf(track('3')), [track('3')]);
});

test('forgets deleted tracks', () => {
  select([track('1'), track('2')]);
  deselect(['2', '9']);
  assert.deepEqual(ids(), ['1']);
});
