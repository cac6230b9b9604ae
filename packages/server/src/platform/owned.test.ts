import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asReadable, own } from './owned.ts';

const mine = { id: 'a', user_id: 1 };
const theirs = { id: 'b', user_id: 2 };

test('allows the owner to read and change a row', () => {
  const viewer = { id: 1, role: 'user' as const };
  assert.equal(own(viewer, mine), mine);
  assert.equal(asReadable(viewer, mine), mine);
});

test('hides a row from other users', () => {
  const viewer = { id: 1, role: 'user' as const };
  assert.equal(own(viewer, theirs), null);
  assert.equal(asReadable(viewer, theirs), null);
});

test('allows admins to read any row, but to change only their own', () => {
  for (const role of ['admin', 'platform_admin'] as const) {
    const viewer = { id: 1, role };
    assert.equal(asReadable(viewer, theirs), theirs);
    assert.equal(own(viewer, theirs), null);
  }
});

test('returns null for a missing row', () => {
  const viewer = { id: 1, role: 'admin' as const };
  assert.equal(own(viewer, undefined), null);
  assert.equal(asReadable(viewer, null), null);
});
