import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uuid } from '@stem-studio/contract/ids';
import { newId } from './ids.ts';

test('creates unique UUIDs of version 7 in ascending order', () => {
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, newId);
  for (const id of ids.slice(0, 100))
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(uuid.safeParse(ids[0]).success, true);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...ids].sort(), ids);
  const ms = Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16);
  assert.ok(ms >= before && ms <= Date.now() + 10);
});
