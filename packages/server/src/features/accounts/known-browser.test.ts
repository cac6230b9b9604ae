import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { goodPassword, logInWith, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';

const email = 'mira@example.org';

/** Opens a service behind a proxy with a user, their browser, and helpers that try passwords from any address. */
async function open(t: TestContext) {
  const { app } = await openAccountsApp(t, { config: { trustedProxies: ['127.0.0.1'] } });
  const known = await registeredBrowser(app, email);
  await known.submit(formOn((await known.get('/users/settings')).payload, '/users/log-out'));
  const attempt = async (browser: FormBrowser, address: string, password: string, name = email) => {
    const headers = { 'x-forwarded-for': address };
    const page = await browser.request({ method: 'GET', url: '/users/log-in', headers });
    const { hidden } = formOn(page.payload, '/users/log-in');
    const reply = await browser.request({
      method: 'POST',
      url: '/users/log-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ ...hidden, 'user[email]': name, 'user[password]': password }).toString(),
    });
    return reply.statusCode;
  };
  /** Exhausts the attempts at the account from many addresses. */
  const flood = async (name = email) => {
    for (let i = 0; i < 11; i += 1) await attempt(new FormBrowser(app), `203.0.113.${i}`, 'a guess', name);
  };
  return { app, known, attempt, flood };
}

test('guesses from many addresses do not lock a user out of a known browser', async (t) => {
  const { app, known, attempt, flood } = await open(t);
  await flood();
  assert.equal(await attempt(new FormBrowser(app), '198.51.100.1', goodPassword), 429);
  assert.equal(await attempt(known, '198.51.100.2', goodPassword), 303);
  assert.match(known.cookies.get('stem_studio_known') ?? '', /^[0-9a-f]{32}\.[\w-]+\.[\w-]{43}$/);
});

test('a known browser has ten attempts a minute of its own', async (t) => {
  const { known, attempt } = await open(t);
  for (let i = 0; i < 10; i += 1) assert.equal(await attempt(known, `203.0.113.${i}`, 'a guess'), 422);
  assert.equal(await attempt(known, '198.51.100.1', goodPassword), 429);
});

test('a browser known to one account is unknown to another, and its cookie cannot be forged', async (t) => {
  const { app, known, attempt, flood } = await open(t);
  await registeredBrowser(app, 'other@example.org');
  await flood('other@example.org');
  assert.equal(await attempt(known, '198.51.100.1', goodPassword, 'other@example.org'), 429);
  const forger = new FormBrowser(app);
  forger.cookies.set('stem_studio_known', `${'0'.repeat(32)}.x.${'A'.repeat(43)}`);
  await flood();
  assert.equal(await attempt(forger, '198.51.100.2', goodPassword), 429);
});

test('all addresses of one IPv6 network share ten attempts', async (t) => {
  const { app, attempt } = await open(t);
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1)
    statuses.push(
      await attempt(new FormBrowser(app), `2001:db8:1:2::${i}`, 'a guess', `user-${i}@example.org`),
    );
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 422), 429]);
});

test('guesses at the log-in form do not keep a logged-in user from changing their password', async (t) => {
  const { known, attempt, flood } = await open(t);
  await logInWith(known, email, goodPassword);
  await flood();
  const settings = await known.get('/users/settings');
  const reply = await known.submit(formOn(settings.payload, '/users/settings', { action: 'password' }), {
    'user[password]': 'another quiet harbour',
    current_password: goodPassword,
  });
  assert.equal(reply.statusCode, 303, reply.payload);
  await known.submit(formOn((await known.get('/users/settings')).payload, '/users/log-out'));
  assert.equal(await attempt(known, '198.51.100.1', 'another quiet harbour'), 303);
});
