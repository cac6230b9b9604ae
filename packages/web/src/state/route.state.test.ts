import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRoute, routeAddress } from './route.state.ts';

const id = '0190a0b0-0000-7000-8000-000000000001';

test('the address names tab and track, and what it does not know is the library', () => {
  assert.deepEqual(parseRoute(`?tab=jobs&track=${id}`), { tab: 'jobs', track: id, isTall: false });
  assert.deepEqual(parseRoute('?tab=dj&track=../x'), { tab: 'dj', track: null, isTall: false });
});

test('every place has one address that leads back to it', () => {
  for (const place of [
    { tab: 'library', track: null, isTall: false },
    { tab: 'jobs', track: id, isTall: false },
    { tab: 'dj', track: null, isTall: false },
    { tab: 'library', track: id, isTall: true },
  ] as const) {
    assert.deepEqual(parseRoute(routeAddress(place).slice(1)), place);
  }
  assert.equal(routeAddress({ tab: 'library', track: null, isTall: false }), '/');
});

test('no track is open beside the decks', () => {
  assert.deepEqual(parseRoute(`?tab=dj&track=${id}`), { tab: 'dj', track: null, isTall: false });
});
