import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody } from '@stem-studio/contract/errors';
import { type ApiScope, apiScopes, hasScope } from '@stem-studio/contract/scopes';
import { endpoints } from '@stem-studio/contract/service';
import {
  askAccount,
  createKeyIn,
  goodPassword,
  logInWith,
  openAccountsApp,
  registeredBrowser,
  registerWithKey,
} from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { listAuditOf } from '../audit/index.ts';

const email = 'mira@example.org';
const keysPath = '/users/settings/api-keys';

test('write scopes include read, wide scopes cover every area, and no scope includes admin', () => {
  assert.ok(hasScope(null, 'admin'));
  assert.ok(hasScope(['read'], 'jobs:read') && !hasScope(['read'], 'jobs:write'));
  assert.ok(hasScope(['write'], 'jobs:read') && hasScope(['write'], 'exports:read'));
  assert.ok(hasScope(['tracks:write'], 'tracks:read') && !hasScope(['tracks:write'], 'jobs:read'));
  for (const scope of apiScopes) assert.equal(hasScope([scope], 'admin'), scope === 'admin', scope);
  assert.ok(!hasScope(['admin'], 'tracks:read'));
  assert.ok(!hasScope([], 'tracks:read'));
});

test('every endpoint open to API keys declares a scope that fits its method and role', () => {
  /** Endpoints that read by POST: they look up a link's target and store nothing. */
  const readByPost = new Set(['fetchCatalog', 'previewImport']);
  for (const [name, spec] of Object.entries(endpoints)) {
    if (spec.auth !== 'api') continue;
    if ('role' in spec) assert.equal(spec.scope, 'admin', name);
    else {
      const action = spec.method === 'GET' || readByPost.has(name) ? 'read' : 'write';
      assert.ok(spec.scope.endsWith(`:${action}`), `${name} needs ${spec.scope}`);
      assert.ok((apiScopes as string[]).includes(spec.scope), `${spec.scope} can be given`);
    }
  }
});

test('a key may do what its scopes allow, and a 403 names the missing scope', async (t) => {
  const { app } = await openTestApp(t);
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'player', '90', ['tracks:read']);
  const ask = (method: 'GET' | 'POST' | 'DELETE', url: string) =>
    app.inject({ method, url, headers: { authorization: `Bearer ${key}` } });
  assert.equal((await ask('GET', '/api/tracks')).statusCode, 200);
  const id = '01890f6e-0000-7000-8000-000000000000';
  for (const [method, url, scope] of [
    ['GET', '/api/jobs', 'jobs:read'],
    ['DELETE', `/api/tracks/${id}`, 'tracks:write'],
    ['GET', `/export/stems/${id}`, 'exports:read'],
    ['GET', '/export/account', 'account:read'],
    ['GET', '/catalog/covers/x', 'catalog:read'],
    ['GET', '/api/admin/users', 'admin'],
  ] as const) {
    const refused = await ask(method, url);
    assert.equal(refused.statusCode, 403, url);
    const body = errorBody.parse(refused.json());
    assert.deepEqual([body.code, body.error.includes(`"${scope}"`)], ['FORBIDDEN', true], body.error);
    assert.equal(refused.headers['www-authenticate'], `Bearer error="insufficient_scope", scope="${scope}"`);
  }
  assert.equal((await ask('GET', '/files/downloads/x/y')).statusCode, 401, 'files are for browsers');
});

test("an admin's key without the admin scope acts as a user, and a user's key with it is no admin", async (t) => {
  const { app, context } = await openTestApp(t);
  const browser = await registeredBrowser(app, email);
  const listUsers = async (scopes: readonly ApiScope[]) => {
    const { key } = await createKeyIn(browser, 'k', '90', scopes);
    const headers = { authorization: `Bearer ${key}` };
    return (await app.inject({ url: '/api/admin/users', headers })).statusCode;
  };
  assert.equal(await listUsers(['admin']), 403, 'the role decides too');
  await context.db.updateTable('users').set({ role: 'platform_admin' }).execute();
  assert.equal(await listUsers(['read', 'write']), 403);
  assert.equal(await listUsers(['admin']), 200);
});

test('a key from before scopes has no limits, keeps working and is listed as unlimited', async (t) => {
  const { app, context, registerUser } = await openTestApp(t);
  const admin = await registerUser('admin');
  assert.equal((await app.inject({ url: '/api/admin/users', headers: admin.headers })).statusCode, 200);
  const browser = await registeredBrowser(app, email);
  const { id } = await createKeyIn(browser, 'new');
  const page = (await browser.get('/users/settings')).payload;
  assert.match(page, /read, write/);
  assert.doesNotMatch(page, /unlimited/);
  const row = context.db.updateTable('api_keys').where('id', '=', id);
  // The state in which the migration leaves such keys.
  await row.set({ scopes: null as never }).execute();
  assert.match((await browser.get('/users/settings')).payload, /unlimited \(made before keys had scopes\)/);
});

test('creating a key requires the password and at least one scope, and lasts 90 days by default', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { payload } = await browser.get('/users/settings');
  assert.match(payload, /<option value="90" selected>/);
  assert.match(payload, /id="scope-read" name="scope\[read\]" checked/);
  assert.doesNotMatch(payload, /scope\[admin\]/, 'offered to admins only');
  const newKey = formOn(payload, keysPath);
  const typed = { name: 'a', days: '90', 'scope[read]': 'on' };
  for (const current_password of ['', 'not the password']) {
    const refused = await browser.submit(newKey, { ...typed, current_password });
    assert.equal(refused.statusCode, 422);
    assert.match(refused.payload, /Current password is wrong\./);
  }
  const scopeless = await browser.submit(newKey, {
    name: 'a',
    days: '90',
    'scope[everything]': 'on',
    current_password: goodPassword,
  });
  assert.equal(scopeless.statusCode, 422);
  assert.match(scopeless.payload, /Scopes must name at least one\./);
  assert.deepEqual(await context.db.selectFrom('api_keys').selectAll().execute(), []);
  for (let i = 0; i < 9; i += 1) await browser.submit(newKey, { ...typed, current_password: `a guess ${i}` });
  const blocked = await browser.submit(newKey, { ...typed, current_password: goodPassword });
  assert.equal(blocked.statusCode, 429, 'a stolen login does not guess the password here');
});

test('a user without a password creates a key within fifteen minutes of a log-in', async (t) => {
  let ahead = 0;
  const clock = { now: () => new Date(Date.now() + ahead), monotonicMs: () => performance.now() };
  const { app, context } = await openAccountsApp(t, { clock });
  const browser = await registeredBrowser(app, email);
  await context.db.updateTable('users').set({ password_hash: null }).execute();
  const page = await browser.get('/users/settings');
  assert.match(page.payload, /a key can be created within 15 minutes after logging in/);
  const make = () =>
    browser.submit(formOn(page.payload, keysPath), { name: 'a', days: '90', 'scope[read]': 'on' });
  assert.equal((await make()).statusCode, 201);
  ahead = 16 * 60_000;
  const late = await make();
  assert.equal(late.statusCode, 403);
  assert.match(late.payload, /within 15 minutes after logging in\. Nothing was created\./);
});

test('logging out everywhere and changing the password revoke all keys only if the box is ticked', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const { browser, key, id } = await registerWithKey({ app, context }, email);
  const other = await registerWithKey({ app, context }, 'other@example.org');
  const status = async (token: string) => (await askAccount(app, token)).statusCode;
  const everywhere = async (typed: Record<string, string>) => {
    const page = (await browser.get('/users/settings')).payload;
    const reply = await browser.submit(formOn(page, '/users/log-out/everywhere'), typed);
    assert.equal(reply.statusCode, 303);
    const logIn = await browser.get('/users/log-in');
    await logInWith(browser, email, goodPassword);
    return logIn.payload;
  };
  await everywhere({});
  assert.equal(await status(key), 200);
  const page = await everywhere({ revoke_keys: 'on' });
  assert.match(page, /all your API keys are revoked/);
  assert.equal(await status(key), 401);
  const second = await createKeyIn(browser, 'second');
  const settings = (await browser.get('/users/settings')).payload;
  const changed = await browser.submit(formOn(settings, '/users/settings', { action: 'password' }), {
    'user[password]': 'another gravel tuesday',
    current_password: goodPassword,
    revoke_keys: 'on',
  });
  assert.equal(changed.statusCode, 303);
  assert.equal(await status(second.key), 401);
  assert.equal(await status(other.key), 200, "nobody else's");
  const deleted = (await listAuditOf(context.db, id)).filter(({ action }) => action === 'api_key_deleted');
  assert.equal(deleted.length, 2);
  assert.equal((await new FormBrowser(app).get('/users/settings')).statusCode, 303);
});
