import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allColumns, choiceOf, columnsThatFit, minWidthOf, shownColumns, templateOf } from './columns.ts';

const idsOf = (columns: readonly { id: string }[]) => columns.map(({ id }) => id).join(' ');

test('shows the default columns that fit the width, the least important ones only on wide windows', () => {
  assert.equal(idsOf(columnsThatFit(1440)), 'title artist wave bpm key time rating tags state');
  assert.equal(idsOf(columnsThatFit(1060)), 'title artist wave bpm key time tags state');
  assert.equal(idsOf(columnsThatFit(804)), 'title artist bpm key time state');
  assert.equal(idsOf(columnsThatFit(0)), 'title bpm key');
  for (const widthPx of [804, 1060, 1440]) assert.ok(minWidthOf(columnsThatFit(widthPx)) <= widthPx);
});

test('keeps the columns on the screen when the user begins to choose', () => {
  const shown = columnsThatFit(804);
  assert.deepEqual(shownColumns(choiceOf(shown)), shown);
  assert.equal(choiceOf(shown).length, allColumns.length);
});

test('gives spare width only to columns with text', () => {
  assert.equal(templateOf(columnsThatFit(0)), '32px minmax(148px, 2.2fr) 52px 108px 28px');
});
