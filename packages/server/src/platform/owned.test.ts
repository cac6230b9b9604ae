import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asReadable, own } from './owned.ts';

const mine = { id: 'a', user_id: 1 };
const theirs = { id: 'b', user_id: 2 };

test('what belongs to the viewer may be read and changed', () => {
  const viewer = { id: 1, role: 'user' as const };
  assert.equal(own(viewer, mine), mine);
  assert.equal(asReadable(viewer, mine), mine);
});

test("to a user somebody else's record does not exist", () => {
  const viewer = { id: 1, role: 'user' as const };
  assert.equal(own(viewer, theirs), null);
  assert.equal(asReadable(viewer, theirs), null);
});

test("admins may read any record and change nothing else of other people's", () => {
  for (const role of ['admin', 'platform_admin'] as const) {
    const viewer = { id: 1, role };
    assert.equal(asReadable(viewer, theirs), theirs);
    assert.equal(own(viewer, theirs), null);
  }
});

test('no row is neither owned nor readable', () => {
  const viewer = { id: 1, role: 'admin' as const };
  assert.equal(own(viewer, undefined), null);
  assert.equal(asReadable(viewer, null), null);
});
