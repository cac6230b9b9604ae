import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSort, pagesOfRows, positionOfRow, rowAfterKey } from './library.state.ts';

test('sorts ascending, then descending, then by newest', () => {
  assert.equal(nextSort('-created_at', 'bpm'), 'bpm');
  assert.equal(nextSort('bpm', 'bpm'), '-bpm');
  assert.equal(nextSort('-bpm', 'bpm'), '-created_at');
  assert.equal(nextSort('-bpm', 'title'), 'title');
});

test('maps rows to pages of a hundred', () => {
  assert.deepEqual(positionOfRow(0), { page: 1, offset: 0 });
  assert.deepEqual(positionOfRow(99_999), { page: 1000, offset: 99 });
  assert.deepEqual(pagesOfRows(95, 210), [1, 2, 3]);
  assert.deepEqual(pagesOfRows(0, -1), []);
});

test('moves through the rows by keys and stops at both ends', () => {
  assert.equal(rowAfterKey('ArrowDown', 0, 10, 5), 1);
  assert.equal(rowAfterKey('ArrowUp', 0, 10, 5), 0);
  assert.equal(rowAfterKey('PageDown', 7, 10, 5), 9);
  assert.equal(rowAfterKey('End', 0, 10, 5), 9);
  assert.equal(rowAfterKey('x', 0, 10, 5), null);
  assert.equal(rowAfterKey('ArrowDown', 0, 0, 5), null);
});
