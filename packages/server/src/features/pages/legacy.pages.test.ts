import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccountsApp } from '../../testing/account-steps.ts';

const id = '01890f6e-0000-7000-8000-000000000000';

test('addresses of earlier versions redirect to the tabs of the dashboard', async (t) => {
  const { app } = await openAccountsApp(t);
  const targets = {
    '/dj': '/?tab=dj',
    [`/daw/${id}`]: `/?tab=daw&track_id=${id}`,
    '/dj?x=//evil': '/?tab=dj',
  };
  for (const [url, target] of Object.entries(targets)) {
    const reply = await app.inject({ method: 'GET', url });
    assert.equal(reply.statusCode, 308, url);
    assert.equal(reply.headers.location, target);
  }
  const dashboard = await app.inject({ method: 'GET', url: `/?tab=daw&track_id=${id}` });
  assert.equal(
    dashboard.headers.location,
    `/users/log-in?return_to=${encodeURIComponent(`/?tab=daw&track_id=${id}`)}`,
    'and from there by the log-in and back',
  );
});

test('the editor address without a track is 404', async (t) => {
  const { app } = await openAccountsApp(t);
  for (const url of [
    '/daw',
    '/daw/',
    '/daw/7',
    '/daw/%2f%2fevil.example',
    `/daw/${id}%0d%0aSet-Cookie:a=b`,
  ]) {
    const reply = await app.inject({ method: 'GET', url });
    assert.equal(reply.statusCode, 404, url);
  }
});
