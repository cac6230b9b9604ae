import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRoute, routeAddress } from './route.state.ts';

const id = '0190a0b0-0000-7000-8000-000000000001';

test('parses tab and track, and ignores unknown values', () => {
  assert.deepEqual(parseRoute(`?tab=jobs&track=${id}`), { tab: 'jobs', track: id, isTall: false });
  assert.deepEqual(parseRoute('?tab=dj&track=../x'), { tab: 'dj', track: null, isTall: false });
});

test('parses the address of every route back to the route', () => {
  for (const route of [
    { tab: 'library', track: null, isTall: false },
    { tab: 'jobs', track: id, isTall: false },
    { tab: 'dj', track: null, isTall: false },
    { tab: 'library', track: id, isTall: true },
  ] as const) {
    assert.deepEqual(parseRoute(routeAddress(route).slice(1)), route);
  }
  assert.equal(routeAddress({ tab: 'library', track: null, isTall: false }), '/');
});

test('opens no track on the DJ tab', () => {
  assert.deepEqual(parseRoute(`?tab=dj&track=${id}`), { tab: 'dj', track: null, isTall: false });
});
