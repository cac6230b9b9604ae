import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodPassword, logInWith, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { rawClient, socketUrl } from '../../testing/socket-client.ts';

const email = 'mira@example.org';
const config = { publicUrl: 'https://studio.example' };
const host = 'studio.example';
const login = 'stem_studio_session';

test('under https every cookie has the prefix __Host-, is Secure, and applies to this host and every path', async (t) => {
  const { app } = await openAccountsApp(t, { config });
  const browser = new FormBrowser(app, host);
  await browser.get('/users/register');
  const lines = [...browser.setCookies];
  await registeredBrowser(app, email, browser);
  lines.push(...browser.setCookies);
  await browser.submit(formOn((await browser.get('/users/settings')).payload, '/users/log-out'));
  lines.push(...browser.setCookies);
  for (const name of ['form', 'session', 'known', 'flash'])
    assert.ok(
      lines.some((line) => line.startsWith(`__Host-stem_studio_${name}=`)),
      name,
    );
  for (const line of lines) {
    assert.match(line, /^__Host-.*; Path=\/; .*; Secure$/);
    assert.doesNotMatch(line, /Domain/i);
  }
});

test('on plain http the names have no prefix', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  assert.deepEqual([...browser.cookies.keys()].sort(), ['stem_studio_known', login]);
});

test('an existing login keeps working under the plain name and gets the prefixed one with the next page', async (t) => {
  const { app, context, service } = await openAccountsApp(t, { config });
  const browser = await registeredBrowser(app, email, new FormBrowser(app, host));
  const token = browser.cookies.get(`__Host-${login}`) ?? '';
  const old = new FormBrowser(app, host);
  old.cookies.set(login, token);
  const ask = () => old.request({ method: 'GET', url: '/api/account' });
  assert.equal((await ask()).statusCode, 401, 'a login of today counts only under the name of today');
  // The state in which the migration leaves existing logins.
  await context.db.updateTable('login_sessions').set({ may_use_plain_cookie: true }).execute();
  assert.equal((await ask()).statusCode, 200);
  const address = await service.listen(0, '127.0.0.1');
  const socket = await rawClient(t, socketUrl(address), 'vsn=2.0.0', { host, cookie: `${login}=${token}` });
  assert.equal(socket.status, 101);
  socket.client.terminate();
  await old.get('/users/settings');
  assert.deepEqual([old.cookies.get(`__Host-${login}`), old.cookies.has(login)], [token, false]);
});

test('cookies planted under plain names from a sibling host log nobody in as the attacker', async (t) => {
  const { app } = await openAccountsApp(t, { config });
  const attacker = await registeredBrowser(app, 'evil@example.org', new FormBrowser(app, host));
  const victim = new FormBrowser(app, host);
  victim.cookies.set(login, attacker.cookies.get(`__Host-${login}`) ?? '');
  assert.equal((await victim.get('/users/settings')).statusCode, 303);
  // A planted form cookie, and a CSRF token that matches it.
  const page = await attacker.get('/users/log-out');
  assert.equal(page.statusCode, 404);
  const stranger = new FormBrowser(app, host);
  const { hidden } = formOn((await stranger.get('/users/log-in')).payload, '/users/log-in');
  const planted = new FormBrowser(app, host);
  planted.cookies.set('stem_studio_form', stranger.cookies.get('__Host-stem_studio_form') ?? '');
  const forged = await planted.post('/users/log-in', {
    ...hidden,
    'user[email]': 'evil@example.org',
    'user[password]': goodPassword,
  });
  assert.equal(forged.statusCode, 403);
});

test('the prefixed cookie takes precedence over a planted plain one', async (t) => {
  const { app } = await openAccountsApp(t, { config });
  await registeredBrowser(app, email, new FormBrowser(app, host));
  const browser = new FormBrowser(app, host);
  await logInWith(browser, email, goodPassword);
  browser.cookies.set(login, 'planted');
  assert.equal((await browser.request({ method: 'GET', url: '/api/account' })).statusCode, 200);
});
