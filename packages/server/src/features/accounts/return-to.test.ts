import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logInPath, safeReturnTo } from './return-to.ts';

test('log-in returns to the requested path', () => {
  assert.equal(safeReturnTo('/users/settings'), '/users/settings');
  assert.equal(safeReturnTo('/?tab=dj#deck-a'), '/?tab=dj#deck-a');
  assert.equal(logInPath('/?tab=daw&track_id=1'), '/users/log-in?return_to=%2F%3Ftab%3Ddaw%26track_id%3D1');
  assert.equal(logInPath('/'), '/users/log-in');
});

test('log-in never redirects to another host, to the API or in a loop', () => {
  const refused = [
    undefined,
    '',
    'users/settings',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/a\r\nSet-Cookie: x=y',
    '/./\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/api/tracks',
    '/users/log-in',
    '/users/log-out',
    '/users/../users/log-in?return_to=/',
  ];
  for (const path of refused) assert.equal(safeReturnTo(path), '/', String(path));
});
