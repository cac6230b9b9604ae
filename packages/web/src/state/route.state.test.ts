import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRoute, routeAddress } from './route.state.ts';

const id = '0190a0b0-0000-7000-8000-000000000001';

const source = { kind: 'all' } as const;

test('parses tab and track, and ignores unknown values', () => {
  assert.deepEqual(parseRoute(`?tab=jobs&track=${id}`), { tab: 'jobs', source, track: id, isTall: false });
  assert.deepEqual(parseRoute('?tab=dj&track=../x'), { tab: 'dj', source, track: null, isTall: false });
  assert.deepEqual(parseRoute('?crate=../x&list=other'), {
    tab: 'library',
    source,
    track: null,
    isTall: false,
  });
});

test('parses the address of every route back to the route', () => {
  for (const route of [
    { tab: 'library', source, track: null, isTall: false },
    { tab: 'jobs', source, track: id, isTall: false },
    { tab: 'dj', source, track: null, isTall: false },
    { tab: 'library', source, track: id, isTall: true },
    { tab: 'library', source: { kind: 'crate', id }, track: id, isTall: false },
    { tab: 'dj', source: { kind: 'crate', id }, track: null, isTall: false },
    { tab: 'library', source: { kind: 'recent' }, track: null, isTall: false },
    { tab: 'library', source: { kind: 'history' }, track: null, isTall: false },
  ] as const) {
    assert.deepEqual(parseRoute(routeAddress(route).slice(1)), route);
  }
  assert.equal(routeAddress({ tab: 'library', source, track: null, isTall: false }), '/');
  assert.equal(
    routeAddress({ tab: 'library', source: { kind: 'recent' }, track: null, isTall: false }),
    '/?list=recent',
  );
});

test('shows a source only on tabs with a list of tracks', () => {
  assert.deepEqual(parseRoute(`?tab=jobs&crate=${id}`).source, source);
  assert.deepEqual(parseRoute('?tab=dj&list=history').source, source);
});

test('opens no track on the DJ tab', () => {
  assert.deepEqual(parseRoute(`?tab=dj&track=${id}`), { tab: 'dj', source, track: null, isTall: false });
});
