import assert from 'node:assert/strict';
import { test } from 'node:test';
import { droppedPosition, sidebarActionOf } from './sidebar-keys.ts';

const press = (key: string, held: Partial<Record<'altKey' | 'shiftKey' | 'ctrlKey', boolean>> = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test('arrow keys move the focus and stop at both ends; with Alt they move the crate', () => {
  assert.deepEqual(sidebarActionOf(press('ArrowDown'), 1, 5), { do: 'focus', index: 2 });
  assert.deepEqual(sidebarActionOf(press('ArrowDown'), 4, 5), { do: 'focus', index: 4 });
  assert.deepEqual(sidebarActionOf(press('ArrowUp'), 0, 5), { do: 'focus', index: 0 });
  assert.deepEqual(sidebarActionOf(press('End'), 0, 5), { do: 'focus', index: 4 });
  assert.deepEqual(sidebarActionOf(press('ArrowUp', { altKey: true }), 3, 5), { do: 'move', by: -1 });
});

test('keys open, rename and delete, and leave the shortcuts of the browser alone', () => {
  assert.deepEqual(sidebarActionOf(press('Enter'), 0, 5), { do: 'open' });
  assert.deepEqual(sidebarActionOf(press('F2'), 0, 5), { do: 'rename' });
  assert.deepEqual(sidebarActionOf(press('Delete'), 0, 5), { do: 'delete' });
  assert.deepEqual(sidebarActionOf(press('F10', { shiftKey: true }), 0, 5), { do: 'menu' });
  for (const other of [press('F10'), press('a'), press('Enter', { ctrlKey: true })])
    assert.equal(sidebarActionOf(other, 0, 5), null);
});

test('a dropped crate takes the position before or after the one under it', () => {
  assert.equal(droppedPosition(0, 2, false), 1);
  assert.equal(droppedPosition(0, 2, true), 2);
  assert.equal(droppedPosition(3, 1, false), 1);
  assert.equal(droppedPosition(3, 1, true), 2);
  assert.equal(droppedPosition(1, 1, true), 1);
});
