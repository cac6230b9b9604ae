import assert from 'node:assert/strict';
import type { ApiScope } from '@stem-studio/contract/scopes';
import type { FastifyInstance } from 'fastify';
import { accounts } from '../features/accounts/index.ts';
import { pages } from '../features/pages/index.ts';
import { FormBrowser, formOn } from './form-browser.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { createStillClock } from './test-clock.ts';
import type { TestLifetime, TestOverrides } from './test-context.ts';

/** A password that the service takes. */
export const goodPassword = 'gravel ocean tuesday';

/** The service with accounts and pages only, and further features if wanted. Its clock stands: attempts are counted. */
export function openAccountsApp(t: TestLifetime, overrides: TestOverrides = {}): Promise<TestApp> {
  const clock = createStillClock();
  return openTestApp(t, { clock, ...overrides, features: [accounts, ...(overrides.features ?? []), pages] });
}

/** A browser that has registered through the form, and so is logged in. */
export async function registeredBrowser(
  app: FastifyInstance,
  email: string,
  browser = new FormBrowser(app),
): Promise<FormBrowser> {
  const page = await browser.get('/users/register');
  const reply = await browser.submit(formOn(page.payload, '/users/register'), {
    'user[email]': email,
    'user[password]': goodPassword,
  });
  assert.equal(reply.statusCode, 303, reply.payload);
  return browser;
}

/** Logs a browser in through the form; answers the reply. */
export async function logInWith(
  browser: FormBrowser,
  email: string,
  password: string,
  path = '/users/log-in',
) {
  const page = await browser.get(path);
  return await browser.submit(formOn(page.payload, '/users/log-in'), {
    'user[email]': email,
    'user[password]': password,
  });
}

/** Makes an API key through the settings page; answers the key as it is shown, and its id. */
export async function createKeyIn(
  browser: FormBrowser,
  name: string,
  days = 'never',
  scopes: readonly ApiScope[] = ['read', 'write'],
): Promise<{ key: string; id: string; page: string }> {
  const settings = await browser.get('/users/settings');
  const made = await browser.submit(formOn(settings.payload, '/users/settings/api-keys'), {
    name,
    days,
    ...Object.fromEntries(scopes.map((scope) => [`scope[${scope}]`, 'on'])),
    current_password: goodPassword,
  });
  assert.equal(made.statusCode, 201, made.payload);
  const key = /sst_[\w-]{43}/.exec(made.payload)?.[0] ?? '';
  const id = /api-keys\/([0-9a-f-]{36})"/.exec(made.payload)?.[1] ?? '';
  return { key, id, page: made.payload };
}

/** Asks the API who a bearer token is. */
export function askAccount(app: FastifyInstance, token: string) {
  return app.inject({ method: 'GET', url: '/api/account', headers: { authorization: `Bearer ${token}` } });
}

/**
 * Somebody who has registered through the form and made an API key: their browser, the key, `as` to call with it, and
 * their id.
 */
export async function registerWithKey({ app, context }: Pick<TestApp, 'app' | 'context'>, email: string) {
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  const { id } = await context.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { browser, id, key, as: { headers: { authorization: `Bearer ${key}` } } };
}

/** Where users delete their own account. */
export const deleteAccountPath = '/users/settings/delete';

/** Sends the form that deletes the account of who is logged in, with what it asks for as confirmation. */
export async function confirmDeletion(browser: FormBrowser, confirmation: string) {
  const page = await browser.get(deleteAccountPath);
  return browser.submit(formOn(page.payload, deleteAccountPath), { confirmation });
}
