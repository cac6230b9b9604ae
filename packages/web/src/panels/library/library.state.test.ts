import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnRows, nextSort, pagesOfRows, positionOfRow, rowAfterKey } from './library.state.ts';

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

test('draws the rows on the screen and some beyond both ends', () => {
  assert.deepEqual(drawnRows(0, 800, 40, 100), { first: 0, last: 23 });
  assert.deepEqual(drawnRows(4000, 800, 40, 1000), { first: 96, last: 123 });
  assert.deepEqual(drawnRows(4000, 800, 40, 110), { first: 96, last: 109 });
});

test('draws the same rows while the list moves by less than four', () => {
  assert.deepEqual(drawnRows(4159, 760, 40, 1000), drawnRows(4050, 760, 40, 1000));
  assert.notDeepEqual(drawnRows(4160, 760, 40, 1000), drawnRows(4050, 760, 40, 1000));
});

test('draws no row of an empty list and none beyond the end of a list that became shorter', () => {
  assert.equal(drawnRows(0, 800, 40, 0).last, -1);
  assert.deepEqual(drawnRows(40_000, 800, 40, 10), { first: 9, last: 9 });
});
