import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ColumnChoice,
  columnIds,
  columnsText,
  parseColumns,
  withDropped,
  withMoved,
  withShown,
} from './library-columns.state.ts';

const all: ColumnChoice[] = columnIds.map((id) => ({ id, isShown: true }));
const idsOf = (columns: readonly ColumnChoice[] | null) => columns?.map(({ id }) => id);

test('restores a stored layout', () => {
  const layout = {
    density: 'compact',
    columns: withMoved(withShown(all, 'tags', false), 'year', -3),
  } as const;
  assert.deepEqual(parseColumns(columnsText(layout)), layout);
});

test('ignores unreadable layouts and those of another version', () => {
  for (const text of [null, '', '{', '{"version":2,"density":"compact","columns":null}', '[]']) {
    assert.deepEqual(parseColumns(text), { density: 'comfortable', columns: null }, String(text));
  }
});

test('completes a layout that names unknown, repeated or too few columns, and always shows the title', () => {
  const columns = [
    { id: 'bpm', is_shown: true },
    { id: 'mood', is_shown: true },
    { id: 'bpm', is_shown: false },
    { id: 'title', is_shown: false },
  ];
  const parsed = parseColumns(JSON.stringify({ version: 1, density: 'compact', columns })).columns ?? [];
  assert.deepEqual(parsed.slice(0, 3), [
    { id: 'bpm', isShown: true },
    { id: 'title', isShown: true },
    { id: 'artist', isShown: false },
  ]);
  assert.deepEqual(idsOf(parsed)?.toSorted(), columnIds.toSorted());
});

test('hides every column but the title', () => {
  assert.equal(withShown(all, 'artist', false)[1]?.isShown, false);
  assert.equal(withShown(all, 'title', false)[0]?.isShown, true);
});

test('moves a column by steps and onto another, and stops at both ends', () => {
  assert.deepEqual(idsOf(withMoved(all, 'artist', -1))?.slice(0, 2), ['artist', 'title']);
  assert.deepEqual(withMoved(all, 'title', -1), all);
  assert.deepEqual(idsOf(withMoved(all, 'model', 1)), idsOf(all));
  assert.deepEqual(idsOf(withDropped(all, 'bpm', 'title'))?.slice(0, 3), ['bpm', 'title', 'artist']);
  assert.deepEqual(idsOf(withDropped(all, 'title', 'wave'))?.slice(0, 3), ['artist', 'wave', 'title']);
});
