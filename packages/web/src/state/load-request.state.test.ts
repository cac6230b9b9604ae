import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Track } from '@stem-studio/contract/resources/track';
import { loadRequest, takeLoadRequest } from './load-request.state.ts';

test('returns a load request once', () => {
  const request = { deck: 'a', track: { id: 'one' } as Track } as const;
  loadRequest.setState({ request });
  assert.equal(takeLoadRequest(), request);
  assert.equal(takeLoadRequest(), null);
});
