import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRoute, routeAddress } from './route.state.ts';

const id = '0190a0b0-0000-7000-8000-000000000001';

test('parses tab and track, and ignores unknown values', () => {
  assert.deepEqual(parseRoute(`?tab=jobs&track=${id}`), {
    tab: 'jobs',
    track: id,
    isTall: false,
    panel: 'mix',
  });
  assert.deepEqual(parseRoute('?tab=dj&track=../x'), { tab: 'dj', track: null, isTall: false, panel: 'mix' });
});

test('parses the address of every route back to the route', () => {
  for (const route of [
    { tab: 'library', track: null, isTall: false, panel: 'mix' },
    { tab: 'jobs', track: id, isTall: false, panel: 'mix' },
    { tab: 'dj', track: null, isTall: false, panel: 'mix' },
    { tab: 'library', track: id, isTall: true, panel: 'mix' },
    { tab: 'library', track: id, isTall: false, panel: 'grid' },
    { tab: 'jobs', track: id, isTall: true, panel: 'analysis' },
  ] as const) {
    assert.deepEqual(parseRoute(routeAddress(route).slice(1)), route);
  }
  assert.equal(routeAddress({ tab: 'library', track: null, isTall: false, panel: 'mix' }), '/');
});

test('an unknown tab of the track page is the mix, which the address omits', () => {
  assert.equal(parseRoute(`?track=${id}&panel=lyrics`).panel, 'mix');
  assert.equal(routeAddress({ tab: 'library', track: id, isTall: false, panel: 'mix' }), `/?track=${id}`);
});

test('opens no track on the DJ tab', () => {
  assert.deepEqual(parseRoute(`?tab=dj&track=${id}`), {
    tab: 'dj',
    track: null,
    isTall: false,
    panel: 'mix',
  });
});
