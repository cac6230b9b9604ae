import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StemType, stemTypes } from '@stem-studio/contract/resources/stem';
import { sortStems } from './stem-order.ts';

const ordered = (types: readonly StemType[]) =>
  sortStems(types.map((stem_type) => ({ stem_type }))).map((stem) => stem.stem_type);

test('sorts six stems into display order', () => {
  const six: readonly StemType[] = ['vocals', 'drums', 'bass', 'guitar', 'piano', 'other'];
  assert.deepEqual(ordered(['other', 'piano', 'vocals', 'guitar', 'bass', 'drums']), six);
  assert.deepEqual(ordered(['vocals', 'drums', 'bass', 'other', 'guitar', 'piano']), six);
});

test('sorts every stem type, the rest last', () => {
  const all = ordered(stemTypes);
  assert.deepEqual([...all].sort(), [...stemTypes].sort());
  assert.equal(all[0], 'vocals');
  assert.equal(all.at(-1), 'other');
  assert.deepEqual(ordered(all.toReversed()), all);
});
