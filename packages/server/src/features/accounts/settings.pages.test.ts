import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodPassword, logInWith, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { commitDuring } from '../../testing/commit-during.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { hashPassword } from './passwords.ts';

const email = 'mira@example.org';
const otherPassword = 'velvet anchor thursday';

async function put(browser: FormBrowser, action: 'email' | 'password', typed: Record<string, string>) {
  const page = await browser.get('/users/settings');
  return await browser.submit(formOn(page.payload, '/users/settings', { action }), typed);
}

test('settings require a login; others are redirected to log in first', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  const { hidden } = formOn((await browser.get('/users/log-in')).payload, '/users/log-in');
  const _csrf_token = hidden['_csrf_token'] ?? '';
  for (const path of ['/users/settings', '/users/settings/api-keys']) {
    const reply = await browser.post(path, { _csrf_token, _method: path.endsWith('keys') ? 'post' : 'put' });
    assert.equal(reply.statusCode, 303, path);
    assert.equal(reply.headers.location, '/users/log-in?return_to=%2Fusers%2Fsettings');
  }
});

test('changing the email address requires the current password', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const wrong = await put(browser, 'email', {
    'user[email]': 'new@example.org',
    current_password: otherPassword,
  });
  assert.equal(wrong.statusCode, 422);
  assert.match(wrong.payload, /Current password is wrong\./);
  assert.match(wrong.payload, /value="new@example\.org"/);
  assert.ok(!wrong.payload.includes(otherPassword));
  const right = await put(browser, 'email', {
    'user[email]': ' New@example.org',
    current_password: goodPassword,
  });
  assert.equal(right.statusCode, 303);
  assert.match((await browser.get('/users/settings')).payload, /Your email address is changed\./);
  assert.equal((await logInWith(new FormBrowser(app), 'new@example.org', goodPassword)).statusCode, 303);
  assert.equal((await logInWith(new FormBrowser(app), email, goodPassword)).statusCode, 422);
});

test('an email address of another user is rejected', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  await registeredBrowser(app, 'other@example.org');
  const reply = await put(browser, 'email', {
    'user[email]': 'OTHER@example.org',
    current_password: goodPassword,
  });
  assert.equal(reply.statusCode, 422);
  assert.match(reply.payload, /Email belongs to another account\./);
});

test('changing the password issues a new session id and ends the other logins', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const elsewhere = new FormBrowser(app);
  await logInWith(elsewhere, email, goodPassword);
  const before = browser.cookies.get('stem_studio_session');
  const reply = await put(browser, 'password', {
    'user[password]': otherPassword,
    current_password: goodPassword,
  });
  assert.equal(reply.statusCode, 303);
  assert.notEqual(browser.cookies.get('stem_studio_session'), before);
  assert.equal((await context.db.selectFrom('login_sessions').select('id').execute()).length, 1);
  assert.match((await browser.get('/users/settings')).payload, /Your password is changed\./);
  assert.equal((await elsewhere.get('/users/settings')).statusCode, 303, 'the other browser is logged out');
  assert.equal((await logInWith(new FormBrowser(app), email, goodPassword)).statusCode, 422);
  assert.equal((await logInWith(new FormBrowser(app), email, otherPassword)).statusCode, 303);
});

test('the old password cannot overwrite one that was set meanwhile', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const password_hash = await hashPassword('lantern meadow saturday');
  const reply = await commitDuring(
    context,
    (tx) => tx.updateTable('users').set({ password_hash }).where('email', '=', email).execute(),
    () => put(browser, 'password', { 'user[password]': otherPassword, current_password: goodPassword }),
  );
  assert.equal(reply.statusCode, 422);
  assert.match(reply.payload, /Current password.*is wrong/s);
  const user = await context.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow();
  assert.equal(user.password_hash, password_hash);
});

test('a new password follows the rules and requires the current one', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const cases = [
    ['short', goodPassword, /New password must be at least 12 characters\./],
    ['qwertyuiop12', goodPassword, /New password is too common/],
    [otherPassword, 'not the password', /Current password is wrong\./],
    [otherPassword, '', /Current password is wrong\./],
  ] as const;
  for (const [password, current, message] of cases) {
    const reply = await put(browser, 'password', { 'user[password]': password, current_password: current });
    assert.equal(reply.statusCode, 422);
    assert.match(reply.payload, message);
    assert.ok(!reply.payload.includes(otherPassword));
  }
  assert.equal((await logInWith(new FormBrowser(app), email, goodPassword)).statusCode, 303);
});

test('password attempts with a stolen login are rate limited', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const statuses = [];
  for (let i = 0; i < 11; i += 1) {
    statuses.push(
      (await put(browser, 'email', { 'user[email]': email, current_password: `guess ${i}` })).statusCode,
    );
  }
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 422), 429]);
});

test('PUT reaches the settings as a method of its own', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { hidden } = formOn((await browser.get('/users/settings')).payload, '/users/settings', {
    action: 'email',
  });
  const reply = await browser.request({
    method: 'PUT',
    url: '/users/settings',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-csrf-token': hidden['_csrf_token'] ?? '',
    },
    payload: new URLSearchParams({
      action: 'email',
      'user[email]': 'new@example.org',
      current_password: goodPassword,
    }).toString(),
  });
  assert.equal(reply.statusCode, 303);
});

test('a method that a form lacks is answered with 404', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { hidden } = formOn((await browser.get('/users/settings')).payload, '/users/log-out');
  for (const _method of ['post', 'patch', 'constructor', '__proto__']) {
    const reply = await browser.post('/users/log-out', { ...hidden, _method });
    assert.equal(reply.statusCode, 404, _method);
  }
});
