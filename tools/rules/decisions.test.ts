import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDecisions, decisionsIndex, indexOfDecisions, readDecision } from './decisions.ts';

const pageOf = (number: string, status = 'accepted') => ({
  path: `docs/decisions/${number}-queue.md`,
  text: `# ${number}: A queue\n\n- Date: 2026-01-31\n- Status: ${status}\n\nWhy.\n`,
});
const indexOf = (...pages: ReturnType<typeof pageOf>[]) =>
  indexOfDecisions(pages.flatMap((page) => readDecision(page) ?? []));
const first = pageOf('0001');
const second = pageOf('0002', 'accepted, in part superseded by 0001');

test('accepts pages with number, title, date and status, and a complete index', () => {
  assert.deepEqual(checkDecisions([first, second], indexOf(first, second)), []);
  assert.match(indexOf(second, first), /\| 0001 .*\(0001-queue\.md\) .*2026-01-31 .*accepted .*\n\| 0002 /);
});

test('reports an index without a decision', () => {
  assert.deepEqual(
    checkDecisions([first, second], indexOf(first)).map(({ path }) => path),
    [decisionsIndex],
  );
});

test('reports a page without date or status, or with the number of another file', () => {
  for (const text of [
    first.text.replace(/- Date.*\n/, ''),
    first.text.replace(/- Status.*\n/, ''),
    pageOf('0003').text,
  ]) {
    assert.deepEqual(
      checkDecisions([{ ...first, text }], '').map(({ line }) => line),
      [1],
    );
  }
});

test('reports a status of another form, or that names an unknown decision', () => {
  for (const status of ['draft', 'superseded by 0009']) {
    assert.deepEqual(
      checkDecisions([pageOf('0001', status)], '').map(({ line }) => line),
      [4],
    );
  }
});

test('reports a number that occurs twice', () => {
  const twin = { ...first, path: 'docs/decisions/0001-other.md' };
  assert.deepEqual(
    checkDecisions([first, twin], '').map(({ path }) => path),
    [twin.path],
  );
});
