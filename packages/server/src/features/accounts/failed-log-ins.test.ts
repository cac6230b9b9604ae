import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { goodPassword, logInWith, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { eventually } from '../../testing/eventually.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import type { TestContext } from '../../testing/test-context.ts';
import { countFailedLogIn } from './failed-log-ins.store.ts';
import { hashOfToken } from './hash-of-token.ts';

const email = 'mira@example.org';

const attemptsOf = async ({ db }: TestContext) => {
  const rows = await db.selectFrom('failed_log_ins').selectAll().orderBy('network').execute();
  return rows.map(({ network, attempts }) => `${network}: ${attempts}`);
};

/** Returns a browser that has registered and logged out again. */
async function knownBrowserOf(app: FastifyInstance): Promise<FormBrowser> {
  const browser = await registeredBrowser(app, email);
  await logOut(browser);
  return browser;
}

async function logOut(browser: FormBrowser): Promise<void> {
  await browser.submit(formOn((await browser.get('/users/settings')).payload, '/users/log-out'));
}

test('a failed log-in is one log line with address and account, without any typed text', async (t) => {
  const logLines: string[] = [];
  const { app, context } = await openAccountsApp(t, { logLines });
  await registeredBrowser(app, email);
  await logInWith(new FormBrowser(app), email, 'a guessed secret');
  await logInWith(new FormBrowser(app), 'nobody@example.org', 'a guessed secret');
  const lines = logLines.filter((line) => line.includes('a log-in failed'));
  const read = lines.map((line) => JSON.parse(line) as { address?: string; account?: string });
  assert.deepEqual(
    read.map(({ address, account }) => [address, account]),
    [email, 'nobody@example.org'].map((name) => ['127.0.0.1', hashOfToken(name).slice(0, 16)]),
  );
  assert.ok(!logLines.some((line) => line.includes('a guessed secret') || line.includes(email)));
  await eventually(
    () => attemptsOf(context),
    (rows) => rows.join() === '127.0.0.1: 1',
  );
});

test('after the next log-in the user sees once how many attempts failed, since when and from where', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await knownBrowserOf(app);
  const now = context.clock.now();
  for (const network of ['203.0.113.9', '203.0.113.9', '2001:db8::/64'])
    await countFailedLogIn(context.db, email, network, now);
  await countFailedLogIn(context.db, 'nobody@example.org', '203.0.113.9', now);
  const reply = await logInWith(browser, email, goodPassword, '/users/log-in?return_to=%2Fusers%2Fsettings');
  assert.equal(reply.headers.location, '/users/log-in/notice?return_to=%2Fusers%2Fsettings');
  const notice = await browser.get('/users/log-in/notice?return_to=%2Fusers%2Fsettings');
  assert.match(notice.payload, /3 failed log-ins from 2 networks since .*, last from \S+ at/);
  assert.match(notice.payload, /<a class="button primary" href="\/users\/settings">Continue<\/a>/);
  assert.match((await browser.get('/users/settings')).payload, /Before you logged in here: 3 failed log-ins/);
  assert.deepEqual(await attemptsOf(context), []);
  const again = await logInWith(new FormBrowser(app), email, goodPassword);
  assert.equal(again.headers.location, '/');
});

test('the notice links to no other site and belongs to its own log-in only', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await knownBrowserOf(app);
  await countFailedLogIn(context.db, email, '203.0.113.9', context.clock.now());
  await logInWith(browser, email, goodPassword);
  const notice = await browser.get('/users/log-in/notice?return_to=//evil.example');
  assert.match(notice.payload, />1 failed log-in from 203\.0\.113\.9 at [^,]*\.</);
  assert.match(notice.payload, /<a class="button primary" href="\/">/);
  const other = await registeredBrowser(app, 'other@example.org');
  assert.equal((await other.get('/users/log-in/notice')).headers.location, '/');
  assert.match(String((await new FormBrowser(app).get('/users/log-in/notice')).headers.location), /log-in$/);
});

test("a user's own typing errors show no notice", async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await knownBrowserOf(app);
  await logInWith(browser, email, 'gravel ocean thursday');
  await eventually(
    () => attemptsOf(context),
    (rows) => rows.length === 1,
  );
  assert.equal((await logInWith(browser, email, goodPassword)).headers.location, '/');
});

test('at most a hundred networks are stored for an account under a distributed attack', async (t) => {
  const { app, context } = await openAccountsApp(t);
  await registeredBrowser(app, email);
  for (let i = 0; i < 103; i += 1)
    await countFailedLogIn(context.db, email, `203.0.113.${i}`, context.clock.now());
  const rows = await attemptsOf(context);
  assert.equal(rows.length, 101);
  assert.ok(rows.includes('other networks: 3'));
});

test("10,000 wrong guesses, also from the user's own network, never lock out a known browser", async (t) => {
  const { app, context } = await openAccountsApp(t);
  const known = await knownBrowserOf(app);
  const page = await new FormBrowser(app).get('/users/log-in');
  const { hidden } = formOn(page.payload, '/users/log-in');
  const cookie = String(page.headers['set-cookie']).split(';')[0] ?? '';
  const guess = (i: number) =>
    app.inject({
      method: 'POST',
      url: '/users/log-in',
      // Every second guess comes from the user's own network.
      remoteAddress: i % 2 === 0 ? '127.0.0.1' : `198.51.100.${i % 250}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, accept: 'text/html' },
      payload: new URLSearchParams({
        ...hidden,
        'user[email]': email,
        'user[password]': `guess ${i}`,
      }).toString(),
    });
  const statuses = new Set<number>();
  for (let i = 0; i < 1000; i += 100)
    for (const { statusCode } of await Promise.all(Array.from({ length: 100 }, (_, j) => guess(i + j))))
      statuses.add(statusCode);
  assert.deepEqual(statuses, new Set([422, 429]));
  // The other 9,000 only raise the counts.
  await context.db
    .updateTable('rate_limits')
    .set({ count: 10_000 })
    .where('bucket', 'like', 'login:%')
    .execute();
  assert.equal((await logInWith(new FormBrowser(app), email, goodPassword)).statusCode, 429);
  const reply = await logInWith(known, email, goodPassword);
  assert.equal(reply.statusCode, 303, 'the known browser comes in');
});

test('a browser is known after changing the email address or resetting the password, and a shared one knows several accounts', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const flood = (name: string) =>
    context.db
      .insertInto('rate_limits')
      .values({
        bucket: `login:account:${hashOfToken(name)}`,
        window_start: Math.floor(context.clock.now().getTime() / 60_000) * 60,
        count: 10_000,
      })
      .execute();
  const settings = await browser.get('/users/settings');
  await browser.submit(formOn(settings.payload, '/users/settings', { action: 'email' }), {
    'user[email]': 'new@example.org',
    current_password: goodPassword,
  });
  await logOut(browser);
  await registeredBrowser(app, 'second@example.org', browser);
  for (const name of ['new@example.org', 'second@example.org']) {
    await flood(name);
    assert.equal((await logInWith(new FormBrowser(app), name, goodPassword)).statusCode, 429, name);
    await logOut(browser);
    assert.equal((await logInWith(browser, name, goodPassword)).statusCode, 303, name);
  }
});
