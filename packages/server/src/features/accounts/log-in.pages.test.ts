import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodPassword, logInWith, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { commitDuring } from '../../testing/commit-during.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { hashOfToken } from './hash-of-token.ts';
import { hashPassword } from './passwords.ts';

const email = 'mira@example.org';

test('the right password logs in and returns to the requested page', async (t) => {
  const { app } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  const browser = new FormBrowser(app);
  const sent = await browser.get('/users/settings');
  assert.equal(sent.statusCode, 303);
  assert.equal(sent.headers.location, '/users/log-in?return_to=%2Fusers%2Fsettings');
  const reply = await logInWith(browser, ' Mira@example.org', goodPassword, sent.headers.location);
  assert.equal(reply.statusCode, 303);
  assert.equal(reply.headers.location, '/users/settings');
  assert.equal((await browser.get('/users/settings')).statusCode, 200);
});

test('log-in redirects to no other host', async (t) => {
  const { app } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  const reply = await logInWith(
    new FormBrowser(app),
    email,
    goodPassword,
    '/users/log-in?return_to=https%3A%2F%2Fevil.example%2F',
  );
  assert.equal(reply.headers.location, '/');
});

test('an unknown address and a wrong password get the same reply', async (t) => {
  const { app } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  const normal = (page: string) =>
    page.replace(/name="_csrf_token" value="[^"]*"/, '').replace(/[\w.]+@example\.org/, '');
  const wrong = await logInWith(new FormBrowser(app), email, 'not the password');
  const unknown = await logInWith(new FormBrowser(app), 'nobody@example.org', 'not the password');
  assert.equal(wrong.statusCode, 422);
  assert.equal(unknown.statusCode, 422);
  assert.equal(normal(wrong.payload), normal(unknown.payload));
  assert.match(wrong.payload, /value="mira@example\.org"/);
  assert.ok(!wrong.payload.includes('not the password'));
  assert.ok(!JSON.stringify(wrong.headers).includes('stem_studio_session'));
});

test('log-in issues a new session id and ends the previous one', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const before = browser.cookies.get('stem_studio_session') ?? '';
  await registeredBrowser(app, 'other@example.org');
  const { hidden } = formOn((await browser.get('/users/settings')).payload, '/users/log-out');
  const reply = await browser.post('/users/log-in', {
    _csrf_token: hidden['_csrf_token'] ?? '',
    'user[email]': 'other@example.org',
    'user[password]': goodPassword,
  });
  assert.equal(reply.statusCode, 303);
  assert.notEqual(browser.cookies.get('stem_studio_session'), before);
  const old = await context.db
    .selectFrom('login_sessions')
    .where('id', '=', hashOfToken(before))
    .selectAll()
    .execute();
  assert.deepEqual(old, []);
});

test('a session id planted before log-in is not adopted', async (t) => {
  const { app } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  const planted = 'A'.repeat(43);
  const browser = new FormBrowser(app);
  browser.cookies.set('stem_studio_session', planted);
  assert.equal((await logInWith(browser, email, goodPassword)).statusCode, 303);
  assert.notEqual(browser.cookies.get('stem_studio_session'), planted);
  const attacker = new FormBrowser(app);
  attacker.cookies.set('stem_studio_session', planted);
  assert.equal((await attacker.get('/users/settings')).statusCode, 303);
});

test('log-out ends the login in the database, not only in the browser', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const kept = browser.cookies.get('stem_studio_session') ?? '';
  const settings = await browser.get('/users/settings');
  const reply = await browser.submit(formOn(settings.payload, '/users/log-out'));
  assert.equal(reply.statusCode, 303);
  assert.equal(reply.headers.location, '/users/log-in');
  assert.equal(browser.cookies.has('stem_studio_session'), false);
  assert.match((await browser.get('/users/log-in')).payload, /You are logged out\./);
  assert.ok(!(await browser.get('/users/log-in')).payload.includes('You are logged out.'), 'shown once');
  assert.deepEqual(await context.db.selectFrom('login_sessions').selectAll().execute(), []);
  browser.cookies.set('stem_studio_session', kept);
  assert.equal((await browser.get('/users/settings')).statusCode, 303);
});

test('DELETE /users/log-out also accepts the CSRF header of a script', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { hidden } = formOn((await browser.get('/users/settings')).payload, '/users/log-out');
  const reply = await browser.request({
    method: 'DELETE',
    url: '/users/log-out',
    headers: { 'x-csrf-token': hidden['_csrf_token'] ?? '' },
  });
  assert.equal(reply.statusCode, 303);
  assert.equal((await browser.get('/users/settings')).statusCode, 303);
});

test('log-in is limited to 10 a minute per account from any address, with Retry-After', async (t) => {
  const { app } = await openAccountsApp(t, { config: { trustedProxies: ['127.0.0.1'] } });
  await registeredBrowser(app, email);
  const attempt = async (address: string, name: string) => {
    const browser = new FormBrowser(app);
    const { hidden } = formOn((await browser.get('/users/log-in')).payload, '/users/log-in');
    return await browser.request({
      method: 'POST',
      url: '/users/log-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
      payload: new URLSearchParams({
        _csrf_token: hidden['_csrf_token'] ?? '',
        'user[email]': name,
        'user[password]': goodPassword.slice(1),
      }).toString(),
    });
  };
  for (let i = 0; i < 10; i += 1) assert.equal((await attempt(`203.0.113.${i}`, email)).statusCode, 422);
  const refused = await attempt('203.0.113.99', email.toUpperCase());
  assert.equal(refused.statusCode, 429);
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  assert.equal(refused.headers['x-ratelimit-remaining'], '0');
  assert.match(refused.payload, /Too many attempts\. Try again in \d+ s\./);
  assert.equal((await attempt('203.0.113.99', 'other@example.org')).statusCode, 422);
});

test('log-in is limited to 10 a minute per address over all accounts', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  const statuses = [];
  for (let i = 0; i < 11; i += 1) {
    statuses.push((await logInWith(browser, `user-${i}@example.org`, 'wrong')).statusCode);
  }
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 422), 429]);
});

test('the spelling with an underscore redirects to the log-in page and keeps method and body', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  assert.equal((await browser.get('/users/log%5Fin')).headers['location'], '/users/log-in');
  const get = await browser.get('/users/log_in?return_to=%2Fusers%2Fsettings');
  assert.equal(get.statusCode, 308);
  assert.equal(get.headers.location, '/users/log-in?return_to=%2Fusers%2Fsettings');
  const post = await browser.post('/users/log_in', { 'user[email]': email });
  assert.equal(post.statusCode, 308);
  assert.equal(post.headers.location, '/users/log-in');
});

test('a logged-in user skips the log-in form', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  for (const path of ['/users/log-in', '/users/register']) {
    const reply = await browser.get(path);
    assert.equal(reply.statusCode, 303);
    assert.equal(reply.headers.location, '/');
  }
});

test('deactivation is revealed only with the right password', async (t) => {
  const { app, context } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  await context.db.updateTable('users').set({ status: 'deactivated' }).execute();
  const right = await logInWith(new FormBrowser(app), email, goodPassword);
  assert.equal(right.statusCode, 422);
  assert.match(right.payload, /This account is deactivated/);
  const wrong = await logInWith(new FormBrowser(app), email, 'not the password');
  assert.match(wrong.payload, /or the password is wrong/);
});

test('behind https the cookie is Secure', async (t) => {
  const { app } = await openAccountsApp(t, { config: { publicUrl: 'https://studio.example' } });
  const reply = await app.inject({
    method: 'GET',
    url: '/users/log-in',
    headers: { host: 'studio.example', accept: 'text/html' },
  });
  assert.match(
    String(reply.headers['set-cookie']),
    /^__Host-stem_studio_form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test('the forms are annotated for password managers', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = new FormBrowser(app);
  const logIn = (await browser.get('/users/log-in')).payload;
  assert.match(logIn, /name="user\[email\]" type="email" autocomplete="username"/);
  assert.match(logIn, /name="user\[password\]" type="password" autocomplete="current-password"/);
  const register = (await browser.get('/users/register')).payload;
  assert.match(register, /name="user\[password\]" type="password" autocomplete="new-password"/);
  assert.ok(!/<script/i.test(logIn + register), 'no JavaScript');
});

test('any input gets a reply, also input that the database cannot store', async (t) => {
  const { app } = await openAccountsApp(t);
  const typed = [
    '\0',
    'a\0@example.org',
    '\ud800@example.org',
    "' or true --",
    `${'a'.repeat(5000)}@example.org`,
    '',
  ];
  for (const email of typed) {
    const reply = await logInWith(new FormBrowser(app), email, `\0${'\u{1f600}'.repeat(2000)}`);
    assert.equal(reply.statusCode, 422, JSON.stringify(email.slice(0, 20)));
  }
});

test('a password changed during its check does not log in', async (t) => {
  const { app, context } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  const password_hash = await hashPassword('another ocean tuesday');
  const browser = new FormBrowser(app);
  const reply = await commitDuring(
    context,
    async (tx) => {
      await tx.updateTable('users').set({ password_hash }).where('email', '=', email).execute();
      await tx.deleteFrom('login_sessions').execute();
    },
    () => logInWith(browser, email, goodPassword),
  );
  assert.equal(reply.statusCode, 422);
  assert.equal(browser.cookies.get('stem_studio_session'), undefined);
  assert.deepEqual(await context.db.selectFrom('login_sessions').select('id').execute(), []);
});

test('a user deactivated or deleted during log-in is not logged in', async (t) => {
  const { app, context } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  const browser = new FormBrowser(app);
  const deactivated = await commitDuring(
    context,
    (tx) => tx.updateTable('users').set({ status: 'deactivated' }).where('email', '=', email).execute(),
    () => logInWith(browser, email, goodPassword),
  );
  assert.equal(deactivated.statusCode, 422);
  assert.match(deactivated.payload, /This account is deactivated/);
  await context.db.updateTable('users').set({ status: 'active' }).execute();
  const deleted = await commitDuring(
    context,
    (tx) => tx.deleteFrom('users').where('email', '=', email).execute(),
    () => logInWith(browser, email, goodPassword),
  );
  assert.equal(deleted.statusCode, 422);
  assert.equal(browser.cookies.get('stem_studio_session'), undefined);
});
