import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodPassword, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';

async function tryToRegister(browser: FormBrowser, email: string, password: string) {
  const page = await browser.get('/users/register');
  return await browser.submit(formOn(page.payload, '/users/register'), {
    'user[email]': email,
    'user[password]': password,
  });
}

test('registering creates a user and logs the browser in', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, '  Mira@Example.ORG ');
  const login = browser.setCookies.find((line) => line.startsWith('stem_studio_session='));
  assert.match(
    login ?? '',
    /^stem_studio_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=5184000$/,
  );
  const account = await browser.request({ method: 'GET', url: '/api/account' });
  const { data } = account.json<{ data: { email: string; role: string; status: string } }>();
  assert.equal(data.email, 'mira@example.org');
  assert.equal(data.role, 'user');
  assert.equal(data.status, 'active');
  const row = await context.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
  assert.match(row.password_hash ?? '', /^\$argon2id\$/);
});

test('a password has 12 to 256 characters and is not among the most common', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  const cases = [
    ['short', 'must be at least 12 characters'],
    ['gravel '.repeat(40), 'must be at most 256 characters'],
    ['password1234', 'is too common'],
    ['mira.holt1234', 'is too common'],
  ] as const;
  for (const [password, message] of cases) {
    const reply = await tryToRegister(browser, 'mira.holt@example.org', password);
    assert.equal(reply.statusCode, 422);
    assert.ok(reply.payload.includes(`Password ${message}`), message);
    assert.ok(!reply.payload.includes(password.trim()), 'the password is not sent back');
    assert.match(reply.payload, /value="mira\.holt@example\.org"/);
  }
  assert.deepEqual(await context.db.selectFrom('users').selectAll().execute(), []);
});

test('an invalid email address is rejected, and the typed values are kept', async (t) => {
  const { app } = await openAccountsApp(t);
  const reply = await tryToRegister(new FormBrowser(app), 'not "an" address', goodPassword);
  assert.equal(reply.statusCode, 422);
  assert.match(reply.payload, /Email must be an email address/);
  assert.match(reply.payload, /value="not &quot;an&quot; address"/);
});

test('email addresses are unique regardless of letter case', async (t) => {
  const { app, context } = await openAccountsApp(t);
  await registeredBrowser(app, 'mira@example.org');
  const reply = await tryToRegister(new FormBrowser(app), 'MIRA@example.org', goodPassword);
  assert.equal(reply.statusCode, 422);
  assert.match(reply.payload, /Email has an account already/);
  assert.equal(reply.headers['set-cookie'], undefined);
  assert.equal((await context.db.selectFrom('users').select('id').execute()).length, 1);
});

test('two simultaneous registrations of one address create one account', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => tryToRegister(new FormBrowser(app), 'mira@example.org', goodPassword)),
  );
  assert.deepEqual(
    replies.map((reply) => reply.statusCode).sort((a, b) => a - b),
    [303, 422, 422, 422],
  );
  assert.equal((await context.db.selectFrom('users').select('id').execute()).length, 1);
});

test('closed registration rejects new users', async (t) => {
  const { app, context } = await openAccountsApp(t, { config: { registration: 'closed' } });
  const browser = new FormBrowser(app);
  const page = await browser.get('/users/register');
  assert.equal(page.statusCode, 403);
  assert.match(page.payload, /Registration is closed/);
  const logIn = await browser.get('/users/log-in');
  assert.ok(!logIn.payload.includes('/users/register'));
  assert.match(logIn.payload, /Registration is closed: ask the operator of this studio/);
  const { hidden } = formOn(logIn.payload, '/users/log-in');
  const reply = await browser.post('/users/register', {
    _csrf_token: hidden['_csrf_token'] ?? '',
    'user[email]': 'mira@example.org',
    'user[password]': goodPassword,
  });
  assert.equal(reply.statusCode, 403);
  assert.deepEqual(await context.db.selectFrom('users').selectAll().execute(), []);
});

test('registrations are rate limited per address', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  const statuses = [];
  for (let i = 0; i < 11; i += 1) statuses.push((await tryToRegister(browser, 'no', 'no')).statusCode);
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 422), 429]);
});

test('registering returns to the requested page and ends the previous login', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  const logIn = await browser.get('/users/log-in?return_to=%2Fusers%2Fsettings');
  const path = /<a href="(\/users\/register[^"]*)"/.exec(logIn.payload)?.[1] ?? '';
  const form = formOn((await browser.get(path)).payload, '/users/register');
  const typed = { 'user[email]': 'mira@example.org', 'user[password]': goodPassword };
  assert.equal((await browser.submit(form, typed)).headers.location, '/users/settings');
  const { hidden } = formOn((await browser.get('/users/settings')).payload, '/users/log-out');
  const again = { ...typed, 'user[email]': 'other@example.org', _csrf_token: hidden['_csrf_token'] ?? '' };
  assert.equal((await browser.post('/users/register', again)).headers.location, '/');
  const logins = await context.db.selectFrom('login_sessions').select('user_id').execute();
  assert.equal(logins.length, 1);
});
