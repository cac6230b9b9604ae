import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offerUndo, pushUndo, undoLast } from './library-undo.ts';
import { takeToasts } from './toasts.state.ts';

test('undoes the steps from the last to the first, each once, and skips those that are over', async () => {
  const undone: string[] = [];
  const step = (name: string, isOver = false) => ({
    undo: () => Promise.resolve(undone.push(name)),
    isOver: () => isOver,
  });
  pushUndo(step('first'));
  pushUndo(step('restored in the trash', true));
  offerUndo('Edited 2 tracks', '', step('edit').undo);
  await undoLast();
  await undoLast();
  await undoLast();
  assert.deepEqual(undone, ['edit', 'first']);
  for (const { action } of takeToasts()) action?.perform();
  assert.deepEqual(undone, ['edit', 'first']);
});

test('a step undone by its message is not undone again by Ctrl+Z', async () => {
  let count = 0;
  offerUndo('Deleted 2 tracks', '', () => Promise.resolve(count++));
  takeToasts()[0]?.action?.perform();
  await undoLast();
  assert.equal(count, 1);
});
