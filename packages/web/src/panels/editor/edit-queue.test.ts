import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IdentifiedEdit } from '@stem-studio/contract/resources/edit-operation';
import { nextEdits } from './edit-queue.ts';

const notesEdit = (id: string, count: number): IdentifiedEdit => ({
  id,
  operation: 'add_notes',
  params: {
    stem_type: 'vocals',
    notes: Array.from({ length: count }, () => ({
      start_ms: 100_000,
      length_ms: 500,
      pitch: 60,
      velocity: 90,
    })),
  },
});
const idsOf = (edits: readonly IdentifiedEdit[]) => edits.map(({ id }) => id);

test('a request appends operations up to a number, and long ones in requests of their own', () => {
  const short = ['a', 'b', 'c'].map((id) => ({ edit: notesEdit(id, 1) }));
  assert.deepEqual(idsOf(nextEdits(short, 2)), ['a', 'b']);
  assert.deepEqual(idsOf(nextEdits([...short.slice(0, 1), { position: 0 }, ...short], 9)), ['a']);
  const long = { edit: notesEdit('long', 5000) };
  assert.deepEqual(idsOf(nextEdits([...short, long, long], 9)), ['a', 'b', 'c', 'long']);
  assert.deepEqual(idsOf(nextEdits([long, long], 9)), ['long']);
});
