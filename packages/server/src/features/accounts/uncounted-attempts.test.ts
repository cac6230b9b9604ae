import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import {
  askAccount,
  createKeyIn,
  goodPassword,
  logInWith,
  openAccountsApp,
  registeredBrowser,
} from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { findUserByEmail } from '../users/index.ts';
import { createResetLink } from './reset.service.ts';

const email = 'mira@example.org';

test('without the rate limit table log-in, registration, reset and key creation fail, and reading still works', async (t) => {
  const logLines: string[] = [];
  const { app, context } = await openAccountsApp(t, { logLines });
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  const user = await findUserByEmail(context.db, email);
  assert.ok(user);
  const link = new URL(await createResetLink(context, user, 'http://localhost'));
  await sql`drop table rate_limits`.execute(context.db);

  const stranger = new FormBrowser(app);
  for (let i = 0; i < 60; i += 1)
    assert.equal((await logInWith(stranger, email, `a guess ${i}`)).statusCode, 503, `guess ${i}`);
  const right = await logInWith(new FormBrowser(app), email, goodPassword);
  assert.equal(right.statusCode, 503);
  assert.match(right.payload, /Attempts cannot be counted/);
  assert.ok(right.headers['retry-after']);

  const registerPage = await stranger.get('/users/register');
  const registered = await stranger.submit(formOn(registerPage.payload, '/users/register'), {
    'user[email]': 'new@example.org',
    'user[password]': goodPassword,
  });
  assert.equal(registered.statusCode, 503);
  const resetPage = await stranger.get(link.pathname + link.search);
  const reset = await stranger.submit(formOn(resetPage.payload, '/users/reset'), {
    'user[password]': 'another gravel tuesday',
  });
  assert.equal(reset.statusCode, 503);
  const settings = await browser.get('/users/settings');
  const made = await browser.submit(formOn(settings.payload, '/users/settings/api-keys'), {
    name: 'another',
    days: '90',
    'scope[read]': 'on',
    current_password: goodPassword,
  });
  assert.equal(made.statusCode, 503);

  assert.equal(settings.statusCode, 200, 'who is logged in reads on');
  assert.equal((await askAccount(app, key)).statusCode, 200);
  const line = logLines.find((text) => text.includes('attempts cannot be counted'));
  assert.equal((JSON.parse(line ?? '{}') as { level?: number }).level, 50, 'an error in the log');
});
