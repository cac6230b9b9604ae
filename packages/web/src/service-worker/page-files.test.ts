import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheName, handlingOf, isUnavailable, outdatedCaches } from './page-files.ts';

const origin = 'https://studio.example';
const files = { version: '2', paths: ['/assets/a-1.js', '/favicon.svg', '/offline.html'] };
const get = (path: string, mode: RequestMode = 'cors', method = 'GET') =>
  handlingOf({ url: new URL(path, origin).href, mode, method }, origin, files);

test('handles the page and its own files, and nothing else', () => {
  assert.equal(get('/', 'navigate'), 'page');
  assert.equal(get('/?tab=dj', 'navigate'), 'page');
  assert.equal(get('/assets/a-1.js'), 'asset');
  assert.equal(get('/assets/of-the-build-before-0.js'), 'asset');
  assert.equal(get('/favicon.svg', 'no-cors'), 'file');
  for (const path of [
    '/api/tracks',
    '/files/downloads/1/high.mp3',
    '/health/live',
    '/socket',
    '/offline.html',
  ])
    assert.equal(get(path), 'pass', path);
  for (const path of ['/users/log-in', '/users/settings', '/dj', '/api/account'])
    assert.equal(get(path, 'navigate'), 'pass', path);
  assert.equal(get('/', 'navigate', 'POST'), 'pass');
  assert.equal(get('/'), 'pass', 'the page as data has a token of its user');
  assert.equal(get('https://elsewhere.example/assets/a-1.js'), 'pass');
});

test('keeps the caches of the present build and of the one before', () => {
  const names = ['0', '1', '2'].map((version) => cacheName({ version }));
  assert.deepEqual(outdatedCaches(['of another page', ...names], cacheName(files)), [names[0]]);
  assert.deepEqual(outdatedCaches(names.slice(1), cacheName(files)), []);
});

test('tells a missing service from its own refusals', () => {
  for (const status of [502, 503, 504]) assert.equal(isUnavailable({ status }), true);
  for (const status of [200, 303, 401, 404, 500]) assert.equal(isUnavailable({ status }), false);
});
