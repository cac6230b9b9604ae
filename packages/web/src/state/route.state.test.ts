import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRoute, type Route, routeAddress } from './route.state.ts';

const id = '0190a0b0-0000-7000-8000-000000000001';

const source = { kind: 'all' } as const;
const start: Route = { tab: 'library', source, track: null, isTall: false, panel: 'mix', edited: null };

test('parses tab and track, and ignores unknown values', () => {
  assert.deepEqual(parseRoute(`?tab=jobs&track=${id}`), { ...start, tab: 'jobs', track: id });
  assert.deepEqual(parseRoute('?tab=dj&track=../x'), { ...start, tab: 'dj' });
  assert.deepEqual(parseRoute('?crate=../x&list=other'), start);
});

test('parses the address of every route back to the route', () => {
  const routes: readonly Partial<Route>[] = [
    {},
    { tab: 'jobs', track: id },
    { tab: 'dj' },
    { track: id, isTall: true },
    { track: id, panel: 'grid' },
    { tab: 'jobs', track: id, isTall: true, panel: 'analysis' },
    { source: { kind: 'crate', id }, track: id },
    { tab: 'dj', source: { kind: 'crate', id } },
    { source: { kind: 'recent' } },
    { source: { kind: 'history' } },
  ];
  for (const change of routes) {
    const route = { ...start, ...change };
    assert.deepEqual(parseRoute(routeAddress(route).slice(1)), route);
  }
  assert.equal(routeAddress(start), '/');
  assert.equal(routeAddress({ ...start, source: { kind: 'recent' } }), '/?list=recent');
});

test('an unknown tab of the track page is the mix, which the address omits', () => {
  assert.equal(parseRoute(`?track=${id}&panel=lyrics`).panel, 'mix');
  assert.equal(routeAddress({ ...start, track: id }), `/?track=${id}`);
});

test('shows a source only on tabs with a list of tracks', () => {
  assert.deepEqual(parseRoute(`?tab=jobs&crate=${id}`).source, source);
  assert.deepEqual(parseRoute('?tab=dj&list=history').source, source);
});

test('opens a track in the editor, and no player beside it', () => {
  const route = { ...start, tab: 'daw', edited: id } as const;
  assert.deepEqual(parseRoute(`?tab=daw&track_id=${id}&track=${id}`), route);
  assert.equal(routeAddress(route), `/?tab=daw&track_id=${id}`);
  assert.equal(parseRoute('?tab=daw&track_id=../x').edited, null);
  assert.equal(parseRoute(`?tab=jobs&track_id=${id}`).edited, null);
});

test('opens no track on the DJ tab', () => {
  assert.deepEqual(parseRoute(`?tab=dj&track=${id}`), { ...start, tab: 'dj' });
});
