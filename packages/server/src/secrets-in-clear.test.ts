import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { createResetLink } from './features/accounts/reset.service.ts';
import { createSetupLink } from './features/accounts/setup.service.ts';
import { findUserByEmail } from './features/users/users.store.ts';
import { features } from './features.ts';
import type { Feature } from './platform/feature.ts';
import { createKeyIn, goodPassword, logInWith, registeredBrowser } from './testing/account-steps.ts';
import { linkCatalog, logInByCatalog } from './testing/catalog-login-steps.ts';
import { FormBrowser, formOn } from './testing/form-browser.ts';
import { until } from './testing/socket-client.ts';
import { startStandInCatalog } from './testing/stand-ins/catalog-server.ts';
import { openTestApp } from './testing/test-app.ts';
import type { TestContext, TestLifetime } from './testing/test-context.ts';

const here = '127.0.0.1:4000';
const wrongPassword = 'not the password of anybody';
const laterPassword = 'another gravel ocean tuesday';

/** A route that fails on any request, with all secrets that the request may carry. */
const stumbling: Feature = {
  name: 'stumbling',
  routes: (app) =>
    void app.post('/api/stumble', () => Promise.reject(new Error('something unheard-of happened'))),
};

/** A browser that records secrets and the refusals it received. */
class WatchedBrowser extends FormBrowser {
  readonly #watch: Watch;
  constructor(watch: Watch) {
    super(watch.app, here);
    this.#watch = watch;
  }
  override async request(options: InjectOptions): Promise<LightMyRequestResponse> {
    const reply = await super.request(options);
    for (const value of this.cookies.values()) if (value.length > 20) this.#watch.secrets.add(value);
    for (const [, token = ''] of reply.payload.matchAll(/name="_csrf_token" value="([^"]+)"/g))
      this.#watch.ownToBrowser.add(token);
    const location = new URL(reply.headers.location ?? '/', `http://${here}`).searchParams;
    for (const name of ['state', 'code_challenge']) {
      const value = location.get(name);
      if (value !== null) this.#watch.ownToBrowser.add(value);
    }
    if (reply.statusCode >= 400) this.#watch.refusals.push(reply.payload);
    return reply;
  }
}

type Watch = Awaited<ReturnType<typeof openWatched>>;

async function openWatched(t: TestLifetime) {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const logLines: string[] = [];
  const config = { webCatalog: standIn, port: 4000 };
  const { app, context } = await openTestApp(t, { logLines, config, features: [...features, stumbling] });
  return {
    app,
    context,
    standIn,
    logLines,
    refusals: [] as string[],
    /** Values that must not appear anywhere in clear. */
    secrets: new Set<string>([goodPassword, wrongPassword, laterPassword, standIn.clientSecret]),
    /** Values that may appear on the pages of one browser only. */
    ownToBrowser: new Set<string>(),
  };
}

/** Returns every row of every table, including the queue's, as text. */
async function dumpOf({ db }: TestContext): Promise<string> {
  const { rows: tables } = await sql<{ table: string }>`select format('%I.%I', schemaname, tablename) as table
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const texts: string[] = [];
  for (const { table } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(table)} t`.execute(db);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

async function walkAccounts(watch: Watch): Promise<string> {
  const { app, context, secrets } = watch;
  const setup = (await createSetupLink(context, `http://${here}`)) ?? '';
  secrets.add(new URL(setup).searchParams.get('setup') ?? '');
  const admin = new WatchedBrowser(watch);
  const page = await admin.get(setup.slice(`http://${here}`.length));
  await admin.submit(formOn(page.payload, '/users/register'), {
    'user[email]': 'admin@example.org',
    'user[password]': goodPassword,
  });
  const browser = new WatchedBrowser(watch);
  await registeredBrowser(app, 'ada@example.org', browser);
  const other = new WatchedBrowser(watch);
  assert.equal((await logInWith(other, 'ada@example.org', wrongPassword)).statusCode, 422);
  assert.equal((await logInWith(other, 'ada@example.org', goodPassword)).statusCode, 303);
  const { key } = await createKeyIn(browser, 'my script');
  secrets.add(key);
  const user = await findUserByEmail(context.db, 'ada@example.org');
  assert.ok(user);
  const link = new URL(await createResetLink(context, user, `http://${here}`));
  secrets.add(link.searchParams.get('token') ?? '');
  const forgetful = new WatchedBrowser(watch);
  const form = formOn((await forgetful.get(link.pathname + link.search)).payload, '/users/reset');
  assert.equal((await forgetful.submit(form, { 'user[password]': laterPassword })).statusCode, 303);
  assert.equal((await forgetful.get(link.pathname + link.search)).statusCode, 403);
  return key;
}

async function walkCatalog(watch: Watch): Promise<void> {
  const newcomer = new WatchedBrowser(watch);
  assert.equal((await logInByCatalog(newcomer, 'kestrel')).statusCode, 303);
  const settled = new WatchedBrowser(watch);
  await logInWith(settled, 'ada@example.org', laterPassword);
  assert.equal((await linkCatalog(settled, 'nadia')).statusCode, 303);
  await settled.get(
    '/auth/catalog/callback?code=made-up-code-of-the-catalog&state=made-up-state-of-a-browser',
  );
  for (const made of ['made-up-code-of-the-catalog', 'made-up-state-of-a-browser']) watch.secrets.add(made);
  assert.ok(watch.standIn.tokens.given.length >= 6);
  for (const token of watch.standIn.tokens.given) watch.secrets.add(token);
}

/** Sends secrets in wrong parts of requests: in addresses, bodies and failing requests. */
async function walkApi(watch: Watch, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const body = { url: 'catalog:track:nothing', password: laterPassword, token: key };
  const asked: InjectOptions[] = [
    { url: '/api/account', headers },
    { url: '/api/account', headers: { authorization: `Bearer ${key}x` } },
    { url: `/api/tracks?token=${key}&password=${encodeURIComponent(laterPassword)}`, headers },
    { url: `/api/tracks/${key}`, headers },
    { url: `/socket/websocket?vsn=2.0.0&token=${key}` },
    { url: `/nowhere?to%6ben=${key}`, headers: { ...headers, cookie: `stem_studio_session=${key}` } },
    { method: 'POST', url: '/api/catalog/fetch', headers, payload: body },
    {
      method: 'POST',
      url: '/api/catalog/import',
      headers: { ...headers, 'idempotency-key': 'once' },
      payload: body,
    },
    {
      method: 'POST',
      url: '/api/catalog/import',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: `{"password":"${laterPassword}",,`,
    },
    { method: 'POST', url: `/api/stumble?token=${key}`, headers, payload: body },
  ];
  for (const one of asked) {
    const reply = await watch.app.inject(one);
    if (reply.statusCode >= 400) watch.refusals.push(reply.payload);
  }
}

test('no password, key, cookie, code or token appears in clear in the log, in a row or in a refusal', async (t) => {
  const watch = await openWatched(t);
  const key = await walkAccounts(watch);
  await walkCatalog(watch);
  await walkApi(watch, key);
  const { secrets, ownToBrowser, refusals, logLines } = watch;
  // The log line is written shortly after the reply arrives.
  await until(() => logLines.some((line) => line.includes('"answered"') && line.includes('/api/stumble')));
  assert.ok(secrets.size >= 15 && ownToBrowser.size >= 8 && refusals.length >= 8);
  const log = logLines.join('\n');
  assert.match(log, /"answered"/);
  assert.match(log, /something unheard-of happened/);
  const rows = await dumpOf(watch.context);
  assert.match(rows, /ada@example\.org/);
  assert.match(rows, /kestrelrow/);
  for (const secret of [...secrets, ...ownToBrowser]) {
    assert.ok(secret.length >= 15, secret);
    assert.ok(
      !log.includes(secret) && !log.includes(encodeURIComponent(secret)),
      `the log contains ${secret}`,
    );
    assert.ok(!rows.includes(secret), `a row contains ${secret}`);
  }
  for (const secret of secrets)
    for (const refusal of refusals) assert.ok(!refusal.includes(secret), `${secret} in ${refusal}`);
});
