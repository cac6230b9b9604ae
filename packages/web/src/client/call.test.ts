import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getTrack, listTracks } from '@stem-studio/contract/endpoints/tracks';
import { addressOf } from './call.ts';

test('builds the address from the contract and omits undefined values', () => {
  assert.equal(
    addressOf(listTracks, undefined, { page: '2', q: undefined, sort: '-bpm' }),
    '/api/tracks?page=2&sort=-bpm',
  );
  assert.equal(addressOf(getTrack, { id: 'a b' }), '/api/tracks/a%20b');
});
