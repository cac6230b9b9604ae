import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import type { KeyPress } from '../../ui/key-press.ts';
import { rowActionOf, selectionActionOf } from './row-keys.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});
const track = { audio: {}, key: 'A minor', bpm: null } as Track;

test('loads a track on a deck by Shift and an arrow, unless it has no audio yet', () => {
  assert.deepEqual(rowActionOf(press('ArrowLeft', { shiftKey: true }), track), { do: 'load', deck: 'a' });
  assert.deepEqual(rowActionOf(press('ArrowRight', { shiftKey: true }), track), { do: 'load', deck: 'b' });
  assert.equal(rowActionOf(press('ArrowLeft'), track), null);
  assert.equal(rowActionOf(press('ArrowLeft', { shiftKey: true }), { ...track, audio: null }), null);
});

test('maps keys to actions, except with Ctrl, Meta or Alt', () => {
  for (const [key, does] of [
    ['Enter', 'open'],
    [' ', 'play'],
    ['Delete', 'delete'],
    ['E', 'edit'],
    ['f', 'compare'],
    ['ContextMenu', 'menu'],
  ] as const) {
    assert.deepEqual(rowActionOf(press(key), track), { do: does });
    for (const held of ['ctrlKey', 'metaKey', 'altKey'])
      assert.equal(rowActionOf(press(key, { [held]: true }), track), null, `${held} ${key}`);
  }
  assert.deepEqual(rowActionOf(press('F10', { shiftKey: true }), track), { do: 'menu' });
  assert.equal(rowActionOf(press('F10'), track), null);
  assert.equal(rowActionOf(press('x'), track), null);
});

test('does not compare a track without key and tempo', () => {
  assert.equal(rowActionOf(press('f'), { audio: null, key: '', bpm: null }), null);
});

test('rates a track by the digits 0 to 5', () => {
  assert.deepEqual(rowActionOf(press('0'), track), { do: 'rate', stars: 0 });
  assert.deepEqual(rowActionOf(press('5'), track), { do: 'rate', stars: 5 });
  assert.equal(rowActionOf(press('6'), track), null);
});

test('selects by Ctrl or ⌘ with A, by Shift with a key that moves, and clears by Escape', () => {
  assert.equal(selectionActionOf(press('a', { ctrlKey: true }), false), 'all');
  assert.equal(selectionActionOf(press('A', { metaKey: true }), false), 'all');
  assert.equal(selectionActionOf(press('a'), false), null);
  assert.equal(selectionActionOf(press('ArrowDown', { shiftKey: true }), false), 'extend');
  assert.equal(selectionActionOf(press('ArrowDown'), true), null);
  assert.equal(selectionActionOf(press('ArrowRight', { shiftKey: true }), true), null);
  assert.equal(selectionActionOf(press(' ', { shiftKey: true }), false), 'toggle');
  assert.equal(selectionActionOf(press('Escape'), true), 'clear');
  assert.equal(selectionActionOf(press('Escape'), false), null);
});
