import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodPassword, logInWith, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { findUserByEmail } from '../users/index.ts';
import { createResetLink } from './reset.service.ts';

const email = 'forgetful@example.org';
const another = 'marble autumn railway';

async function openReset(t: TestLifetime) {
  const clock = createTestClock();
  const { app, context } = await openAccountsApp(t, { clock });
  const elsewhere = await registeredBrowser(app, email);
  const makeLink = async () => {
    const user = await findUserByEmail(context.db, email);
    assert.ok(user);
    return (await createResetLink(context, user, 'http://studio')).slice('http://studio'.length);
  };
  const use = async (link: string, password: string) => {
    const browser = new FormBrowser(app);
    const page = await browser.get(link);
    if (page.statusCode !== 200) return { browser, reply: page };
    const reply = await browser.submit(formOn(page.payload, '/users/reset'), { 'user[password]': password });
    return { browser, reply };
  };
  return { app, context, clock, elsewhere, makeLink, use };
}

test('a link changes the password once, logs in, and ends every other login', async (t) => {
  const { app, context, elsewhere, makeLink, use } = await openReset(t);
  const link = await makeLink();
  const { browser, reply } = await use(link, another);
  assert.equal(reply.statusCode, 303, reply.payload);
  assert.equal((await browser.get('/users/settings')).statusCode, 200);
  assert.equal((await elsewhere.get('/users/settings')).statusCode, 303);
  assert.equal((await use(link, 'third phrase entirely')).reply.statusCode, 403);
  assert.equal((await logInWith(new FormBrowser(app), email, goodPassword)).statusCode, 422);
  assert.equal((await logInWith(new FormBrowser(app), email, another)).statusCode, 303);
  const log = await context.db.selectFrom('audit_log').select('action').orderBy('id').execute();
  assert.deepEqual(
    log.map(({ action }) => action),
    ['password_link_created', 'password_reset'],
  );
});

test('a rejected password keeps the link valid', async (t) => {
  const { makeLink, use } = await openReset(t);
  const link = await makeLink();
  for (const weak of ['short', 'password1234']) assert.equal((await use(link, weak)).reply.statusCode, 422);
  assert.equal((await use(link, another)).reply.statusCode, 303);
});

test('a link is invalid after a day, when altered, or for a deactivated user', async (t) => {
  const { context, clock, makeLink, use } = await openReset(t);
  const link = await makeLink();
  assert.equal((await use(link.replace('token=1.', 'token=2.'), another)).reply.statusCode, 403);
  assert.equal((await use('/users/reset', another)).reply.statusCode, 403);
  await context.db.updateTable('users').set({ status: 'deactivated' }).execute();
  assert.equal((await use(link, another)).reply.statusCode, 403);
  await context.db.updateTable('users').set({ status: 'active' }).execute();
  clock.advance(24 * 3600 + 1);
  assert.equal((await use(link, another)).reply.statusCode, 403);
});
