import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createKeyIn,
  goodPassword,
  openAccountsApp,
  registeredBrowser,
} from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';

const credentials = { 'user[email]': 'mira@example.org', 'user[password]': goodPassword };

async function tokenOn(browser: FormBrowser, path: string, action: string): Promise<string> {
  return formOn((await browser.get(path)).payload, action).hidden['_csrf_token'] ?? '';
}

test('log-in and registration require a CSRF token of the same browser', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const otherToken = await tokenOn(new FormBrowser(app), '/users/register', '/users/register');
  for (const path of ['/users/register', '/users/log-in']) {
    const bare = await new FormBrowser(app).post(path, credentials);
    assert.equal(bare.statusCode, 403, 'neither cookie nor token');
    const browser = new FormBrowser(app);
    await browser.get('/users/register');
    for (const token of ['', 'x', 'x.y', '.', otherToken]) {
      const reply = await browser.post(path, { ...credentials, _csrf_token: token });
      assert.equal(reply.statusCode, 403, `token ${token}`);
    }
    const withoutCookie = await new FormBrowser(app).post(path, { ...credentials, _csrf_token: otherToken });
    assert.equal(withoutCookie.statusCode, 403, 'token without its cookie');
  }
  assert.deepEqual(await context.db.selectFrom('users').selectAll().execute(), []);
});

test("state changes under a cookie reject another user's token", async (t) => {
  const { app, context } = await openAccountsApp(t);
  const mira = await registeredBrowser(app, 'mira@example.org');
  const other = await registeredBrowser(app, 'other@example.org');
  const otherToken = await tokenOn(other, '/users/settings', '/users/log-out');
  const attempts = [
    [
      '/users/settings/api-keys',
      { name: 'a', days: 'never', 'scope[read]': 'on', current_password: goodPassword },
    ],
    [
      '/users/settings',
      { _method: 'put', action: 'email', 'user[email]': 'x@example.org', current_password: goodPassword },
    ],
    ['/users/log-out', { _method: 'delete' }],
  ] as const;
  for (const [path, fields] of attempts) {
    assert.equal((await mira.post(path, fields)).statusCode, 403, `${path} without a token`);
    assert.equal((await mira.post(path, { ...fields, _csrf_token: otherToken })).statusCode, 403, path);
    const byHeader = await mira.request({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-csrf-token': otherToken },
      payload: new URLSearchParams(fields).toString(),
    });
    assert.equal(byHeader.statusCode, 403, `${path} by header`);
  }
  assert.deepEqual(await context.db.selectFrom('api_keys').selectAll().execute(), []);
  assert.equal((await mira.get('/users/settings')).statusCode, 200, 'still logged in');
});

test('a token from before log-in is invalid afterwards', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  const before = await tokenOn(browser, '/users/register', '/users/register');
  const formCookie = browser.cookies.get('stem_studio_form') ?? '';
  assert.equal(
    (await browser.post('/users/register', { ...credentials, _csrf_token: before })).statusCode,
    303,
  );
  browser.cookies.set('stem_studio_form', formCookie);
  const reply = await browser.post('/users/log-out', { _method: 'delete', _csrf_token: before });
  assert.equal(reply.statusCode, 403);
});

test('a token is valid for any number of forms during the login', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, 'mira@example.org');
  const first = await tokenOn(browser, '/users/settings', '/users/log-out');
  const second = await tokenOn(browser, '/users/settings', '/users/log-out');
  assert.notEqual(first, second, 'random, so that compression cannot guess it');
  for (const _csrf_token of [first, second, first]) {
    const reply = await browser.post('/users/settings/api-keys', {
      _csrf_token,
      name: 'a',
      days: '30',
      'scope[read]': 'on',
      current_password: goodPassword,
    });
    assert.equal(reply.statusCode, 201);
  }
});

test('a refusal is a page for a browser and an error envelope for an API client', async (t) => {
  const { app } = await openAccountsApp(t);
  const page = await new FormBrowser(app).post('/users/log-in', credentials);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  assert.match(page.payload, /CSRF token/);
  const json = await app.inject({
    method: 'POST',
    url: '/users/log-in',
    headers: { accept: 'application/json' },
  });
  assert.equal(json.statusCode, 403);
  assert.equal(json.json<{ code: string }>().code, 'FORBIDDEN');
});

test('a request with token and cookie is authenticated by the token and opens no page', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, 'mira@example.org');
  const { key } = await createKeyIn(browser, 'program');
  const wrong = await browser.request({
    method: 'GET',
    url: '/api/account',
    headers: { authorization: 'Bearer sst_wrong' },
  });
  assert.equal(wrong.statusCode, 401, 'the cookie does not help a wrong token');
  const settings = await browser.request({
    method: 'GET',
    url: '/users/settings',
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(settings.statusCode, 303);
});

test('a form from another site is rejected despite a valid token, by the Origin and Sec-Fetch-Site headers', async (t) => {
  const { app } = await openAccountsApp(t, {
    config: {
      publicUrl: 'https://studio.example.org',
      trustedProxies: ['127.0.0.1'],
      allowedHosts: ['lan.example'],
    },
  });
  const browser = await registeredBrowser(app, 'mira@example.org');
  const _csrf_token = await tokenOn(browser, '/users/settings', '/users/log-out');
  const send = (headers: Record<string, string>) =>
    browser.request({
      method: 'POST',
      url: '/users/settings/api-keys',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({
        _csrf_token,
        name: 'a',
        days: 'never',
        'scope[read]': 'on',
        current_password: goodPassword,
      }).toString(),
    });
  const crossSite: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://studio.example.org' },
    { origin: 'https://studio.example.org.evil.example' },
    { origin: 'http://localhost:81' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of crossSite) {
    const reply = await send(headers);
    assert.equal(reply.statusCode, 403, JSON.stringify(headers));
    assert.match(reply.payload, /must come from our own pages/);
  }
  const ours: Record<string, string>[] = [
    { origin: 'https://studio.example.org' },
    { origin: 'http://localhost' },
    { origin: 'https://lan.example', 'x-forwarded-host': 'lan.example' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ];
  for (const headers of ours) assert.equal((await send(headers)).statusCode, 201, JSON.stringify(headers));
});
