import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import {
  activeReferences,
  hasReference,
  pickReference,
  references,
  renewPicked,
  setReferences,
  sortByFit,
} from './reference.state.ts';

const song = (title: string) => ({ id: title, title, key: 'A minor', bpm: 120 }) as Track;
const slots = () =>
  activeReferences(references.getState()).map(({ slot, track }) => `${slot} ${track.title}`);

beforeEach(() => references.setState({ a: null, b: null, picked: null, sortedBy: null }));

test('compares with the tracks of the decks, or with a picked track instead', () => {
  assert.deepEqual(slots(), []);
  assert.equal(hasReference(references.getState()), false);
  setReferences({ a: null, b: song('two') });
  assert.deepEqual(slots(), ['b two']);
  setReferences({ a: song('one'), b: song('two') });
  assert.deepEqual(slots(), ['a one', 'b two']);
  pickReference(song('three'));
  assert.deepEqual(slots(), ['picked three']);
  pickReference(null);
  assert.deepEqual(slots(), ['a one', 'b two']);
});

test('sorts by fit with a picked track until the track or the order is removed', () => {
  pickReference(song('three'));
  assert.equal(references.getState().sortedBy, 'picked');
  sortByFit(null);
  assert.equal(references.getState().sortedBy, null);
  sortByFit('picked');
  pickReference(null);
  assert.equal(references.getState().sortedBy, null);
});

test('keeps a picked track and the order when the track changes', () => {
  pickReference(song('three'));
  sortByFit(null);
  renewPicked({ ...song('three'), bpm: 126 });
  renewPicked(song('another'));
  const { picked, sortedBy } = references.getState();
  assert.deepEqual([picked?.title, picked?.bpm, sortedBy], ['three', 126, null]);
});

test('does not sort by an empty deck', () => {
  setReferences({ a: song('one'), b: null });
  sortByFit('b');
  assert.equal(references.getState().sortedBy, null);
  sortByFit('a');
  setReferences({ a: song('another'), b: null });
  assert.equal(references.getState().sortedBy, 'a');
  setReferences({ a: null, b: null });
  assert.equal(references.getState().sortedBy, null);
});
