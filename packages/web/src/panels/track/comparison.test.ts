import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Separation } from '@stem-studio/contract/resources/separation';
import { type Comparison, choiceAfter, selectedOf } from './comparison.ts';

const separationOf = (job_id: string, is_default = false) => ({ job_id, is_default }) as Separation;
const list = [separationOf('a'), separationOf('b', true), separationOf('c')];

test('plays the default separation until another one is chosen, and again when that is gone', () => {
  assert.equal(selectedOf(list, 'b', null)?.job_id, 'b');
  assert.equal(selectedOf(list, 'b', { jobId: 'c', defaultId: 'b' })?.job_id, 'c');
  assert.equal(selectedOf(list.slice(0, 2), 'b', { jobId: 'c', defaultId: 'b' })?.job_id, 'b');
  assert.equal(selectedOf([], null, null), null);
});

test('a new default ends an earlier choice', () => {
  assert.equal(selectedOf(list, 'a', { jobId: 'c', defaultId: 'b' })?.job_id, 'a');
});

test('keeps playing the former default until the list has the new one', () => {
  assert.equal(selectedOf(list, 'd', null)?.job_id, 'b');
});

test('steps through the separations in a circle, the song first where it is offered', () => {
  const comparison = (selected: Separation | null, offersSong = false): Comparison => ({
    list,
    selected,
    offersSong,
    select: () => {},
  });
  assert.equal(choiceAfter(comparison(list[2] ?? null), 1), 'a');
  assert.equal(choiceAfter(comparison(list[0] ?? null), -1), 'c');
  assert.equal(choiceAfter(comparison(null, true), 1), 'a');
  assert.equal(choiceAfter(comparison(list[2] ?? null, true), 1), null);
});
