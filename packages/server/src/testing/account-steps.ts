import assert from 'node:assert/strict';
import type { ApiScope } from '@stem-studio/contract/scopes';
import type { FastifyInstance } from 'fastify';
import { accounts } from '../features/accounts/index.ts';
import { pages } from '../features/pages/index.ts';
import { FormBrowser, formOn } from './form-browser.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { createStillClock } from './test-clock.ts';
import type { TestLifetime, TestOverrides } from './test-context.ts';

/** A password that the service accepts. */
export const goodPassword = 'gravel ocean tuesday';

/**
 * Opens the service with accounts and pages only, plus further features if given. Its clock does not advance, because
 * attempts are counted per time.
 */
export function openAccountsApp(t: TestLifetime, overrides: TestOverrides = {}): Promise<TestApp> {
  const clock = createStillClock();
  return openTestApp(t, { clock, ...overrides, features: [accounts, ...(overrides.features ?? []), pages] });
}

/** Registers a user through the form and returns their logged-in browser. */
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

/** Logs a browser in through the form and returns the reply. */
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

/** Creates an API key through the settings page. Returns the key as shown, its id and the page. */
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

/** Requests the account of a bearer token from the API. */
export function askAccount(app: FastifyInstance, token: string) {
  return app.inject({ method: 'GET', url: '/api/account', headers: { authorization: `Bearer ${token}` } });
}

/**
 * Registers a user through the form and creates an API key. Returns their browser, id and key, and `as` for requests
 * with the key.
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

/** Path of the page where users delete their own account. */
export const deleteAccountPath = '/users/settings/delete';

/** Submits the form that deletes the account of the logged-in user, with the given confirmation. */
export async function confirmDeletion(browser: FormBrowser, confirmation: string) {
  const page = await browser.get(deleteAccountPath);
  return browser.submit(formOn(page.payload, deleteAccountPath), { confirmation });
}
