import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { loadWish, takeLoadWish } from './load-request.state.ts';

test('a wish is taken once', () => {
  const wish = { deck: 'a', track: { id: 'one' } as Track } as const;
  loadWish.setState({ wish });
  assert.equal(takeLoadWish(), wish);
  assert.equal(takeLoadWish(), null);
});
