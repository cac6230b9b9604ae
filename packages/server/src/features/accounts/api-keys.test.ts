import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '@stem-studio/contract/endpoint';
import { z } from 'zod';
import type { Feature } from '../../platform/feature.ts';
import { route } from '../../platform/http/route.ts';
import {
  askAccount,
  createKeyIn,
  goodPassword,
  openAccountsApp,
  registeredBrowser,
} from '../../testing/account-steps.ts';
import { formOn } from '../../testing/form-browser.ts';
import { hashOfToken } from './hash-of-token.ts';

const email = 'mira@example.org';

test('an API key is shown once, stored as SHA-256, and authenticates its user', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { key, page } = await createKeyIn(browser, 'a script <of mine>');
  assert.match(key, /^sst_[A-Za-z0-9_-]{43}$/);
  assert.match(page, /a script &lt;of mine&gt;/);
  assert.ok(!(await browser.get('/users/settings')).payload.includes(key), 'not shown again');
  const row = await context.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
  assert.equal(row.key_hash, hashOfToken(key));
  assert.equal(row.prefix, key.slice(0, 12));
  assert.ok(!JSON.stringify(row).includes(key.slice(12)));
  const reply = await askAccount(app, key);
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.json<{ data: { email: string } }>().data.email, email);
});

test('a missing, wrong or malformed token is answered with 401', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  for (const wrong of ['', 'x', key.slice(0, -1), `${key}A`, key.slice(4), hashOfToken(key)]) {
    const reply = await askAccount(app, wrong);
    assert.equal(reply.statusCode, 401, wrong);
    assert.equal(reply.json<{ code: string }>().code, 'UNAUTHORIZED');
  }
  assert.equal((await app.inject({ method: 'GET', url: '/api/account' })).statusCode, 401);
});

test('a revoked key stops working at once and disappears from the list', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { key, id, page } = await createKeyIn(browser, 'program');
  const reply = await browser.submit(formOn(page, `/users/settings/api-keys/${id}`));
  assert.equal(reply.statusCode, 303);
  assert.equal((await askAccount(app, key)).statusCode, 401);
  const settings = (await browser.get('/users/settings')).payload;
  assert.match(settings, /The API key is revoked\./);
  assert.ok(!settings.includes(id));
  assert.equal(
    (await browser.submit(formOn(page, `/users/settings/api-keys/${id}`))).statusCode,
    404,
    'not twice',
  );
});

test("another user's key is answered as if it did not exist", async (t) => {
  const { app } = await openAccountsApp(t);
  const mira = await registeredBrowser(app, email);
  const other = await registeredBrowser(app, 'other@example.org');
  const { key, id } = await createKeyIn(mira, 'program');
  const { hidden } = formOn((await other.get('/users/settings')).payload, '/users/log-out');
  for (const path of [id, 'not-an-id', '1']) {
    const reply = await other.post(`/users/settings/api-keys/${path}`, { ...hidden, _method: 'delete' });
    assert.equal(reply.statusCode, 404, path);
  }
  assert.equal((await askAccount(app, key)).statusCode, 200);
});

test('an expired key is rejected, and a new key requires a name and a lifetime', async (t) => {
  let ahead = 0;
  const clock = { now: () => new Date(Date.now() + ahead), monotonicMs: () => performance.now() };
  const { app } = await openAccountsApp(t, { clock });
  const browser = await registeredBrowser(app, email);
  const { key, page } = await createKeyIn(browser, 'program', '30');
  const { action, hidden } = formOn(page, '/users/settings/api-keys');
  const newKey = { action, hidden: { ...hidden, 'scope[read]': 'on', current_password: goodPassword } };
  const nameless = await browser.submit(newKey, { name: '  ', days: '30' });
  assert.equal(nameless.statusCode, 422);
  assert.match(nameless.payload, /Name is required\./);
  for (const name of ['a\0b', 'a\nb', 'a'.repeat(101)]) {
    assert.equal((await browser.submit(newKey, { name, days: '30' })).statusCode, 422, JSON.stringify(name));
  }
  const lacking = await browser.submit(newKey, { name: 'a', days: '' });
  assert.equal(lacking.statusCode, 422);
  assert.match(lacking.payload, /Expires is required: 30, 90, 365 or never\./);
  for (const days of ['0', '-1', '31', 'x', '']) {
    assert.equal((await browser.submit(newKey, { name: 'a', days })).statusCode, 422, days);
  }
  ahead = 30 * 86_400_000 - 60_000;
  assert.equal((await askAccount(app, key)).statusCode, 200);
  ahead += 120_000;
  assert.equal((await askAccount(app, key)).statusCode, 401);
  assert.match((await browser.get('/users/settings')).payload, /Expired/);
});

test("creating and revoking a key are in the audit log with the key's id, never the key", async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { key, id, page } = await createKeyIn(browser, 'program');
  await browser.submit(formOn(page, `/users/settings/api-keys/${id}`));
  const entries = await context.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
  const user = await context.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  assert.deepEqual(
    entries.map(({ action, actor_user_id, target_user_id, details }) => ({
      action,
      actor_user_id,
      target_user_id,
      details,
    })),
    [
      {
        action: 'api_key_created',
        actor_user_id: user.id,
        target_user_id: user.id,
        details: { key_id: id, scopes: ['read', 'write'], expires_at: null },
      },
      {
        action: 'api_key_deleted',
        actor_user_id: user.id,
        target_user_id: user.id,
        details: { key_id: id },
      },
    ],
  );
  assert.ok(!JSON.stringify(entries).includes(key.slice(4, 20)));
});

/** Sample endpoint that changes state. */
const change = endpoint({
  method: 'POST',
  path: '/api/change',
  summary: 'Change something',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  reply: z.object({ changed: z.literal(true) }),
});

test('a bearer request changes state without a CSRF token, a cookie request only with one', async (t) => {
  const changing: Feature = {
    name: 'changing',
    routes: (app, context) => route(app, context, change, async () => ({ changed: true as const })),
  };
  const { app } = await openAccountsApp(t, { features: [changing] });
  const browser = await registeredBrowser(app, email);
  const { key, page } = await createKeyIn(browser, 'program');
  const url = '/api/change';
  const byToken = await app.inject({ method: 'POST', url, headers: { authorization: `bearer ${key}` } });
  assert.equal(byToken.statusCode, 200);
  assert.equal((await browser.request({ method: 'POST', url })).statusCode, 403);
  const token = formOn(page, '/users/log-out').hidden['_csrf_token'] ?? '';
  const byCookie = await browser.request({ method: 'POST', url, headers: { 'x-csrf-token': token } });
  assert.equal(byCookie.statusCode, 200);
});
