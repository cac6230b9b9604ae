import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext } from '../../../context.ts';
import { createSecrets } from '../../../platform/crypto/secrets.ts';
import {
  accountOf,
  linkCatalog,
  logInByCatalog,
  openCatalogStudio,
} from '../../../testing/catalog-login-steps.ts';
import type { Mishap } from '../../../testing/stand-ins/catalog-server.ts';
import { createTestClock } from '../../../testing/test-clock.ts';
import type { TestLifetime } from '../../../testing/test-context.ts';
import { userCatalogToken } from '../index.ts';

/** Opens a service with a user linked to the catalog and a manual clock. */
async function openLinked(t: TestLifetime) {
  const clock = createTestClock();
  const studio = await openCatalogStudio(t, { clock });
  const browser = studio.newBrowser();
  await logInByCatalog(browser, 'kestrel');
  const userId = (await accountOf(browser))?.id ?? 0;
  const token = async (context = studio.context) =>
    (await userCatalogToken(context, userId))?.reveal() ?? null;
  const refreshes = () => studio.standIn.tokens.grants.filter((grant) => grant === 'refresh_token').length;
  const row = () => studio.context.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  return { ...studio, clock, browser, userId, token, refreshes, row };
}

test('a token is used until one minute before it expires, then refreshed', async (t) => {
  const { clock, token, refreshes } = await openLinked(t);
  const first = await token();
  assert.match(first ?? '', /^BQ-/);
  clock.advance(3500);
  assert.deepEqual([await token(), refreshes()], [first, 0]);
  clock.advance(50);
  const second = await token();
  assert.notEqual(second, first);
  assert.deepEqual([await token(), refreshes()], [second, 1]);
});

test('a refresh without a new refresh token keeps the old one, and one with it replaces it', async (t) => {
  const { clock, token, standIn, row } = await openLinked(t);
  const before = (await row()).refresh_token;
  clock.advance(3600);
  assert.ok(await token());
  assert.equal((await row()).refresh_token, before);
  standIn.tokens.givesNewRefreshToken = true;
  for (let round = 0; round < 3; round += 1) {
    clock.advance(3600);
    assert.ok(await token(), `round ${round}`);
  }
  assert.notEqual((await row()).refresh_token, before);
});

test('concurrent callers in one or several processes cause one refresh', async (t) => {
  const { clock, context, token, refreshes, standIn } = await openLinked(t);
  // A second use of the same refresh token would be refused.
  standIn.tokens.givesNewRefreshToken = true;
  const others = await Promise.all(
    [1, 2].map(() =>
      createContext(context.config, {
        connection: context.connection,
        workers: [],
        pipeline: {},
        log: context.log,
        clock,
        maxConnections: 2,
        isSupervising: false,
      }),
    ),
  );
  for (const other of others) context.beforeClose(other.close);
  clock.advance(3600);
  const contexts = [context, ...others.map((other) => ({ ...context, db: other.context.db }))];
  const asked = contexts.flatMap((one) => Array.from({ length: 5 }, () => token(one)));
  const tokens = await Promise.all(asked);
  assert.equal(new Set(tokens).size, 1);
  assert.ok(tokens[0]);
  assert.equal(refreshes(), 1);
});

test('a revoked permission marks the link as broken, and signing in again repairs it', async (t) => {
  const { clock, token, refreshes, standIn, browser, newBrowser, row } = await openLinked(t);
  standIn.tokens.revoke('kestrel');
  clock.advance(3600);
  assert.equal(await token(), null);
  assert.equal((await row()).needs_sign_in, true);
  assert.equal(await token(), null);
  assert.equal(refreshes(), 1);
  const settings = (await browser.get('/users/settings')).payload;
  assert.match(settings, /The catalog wants you to sign in again/);
  assert.equal((await linkCatalog(browser, 'kestrel')).headers.location, '/users/settings');
  assert.match((await token()) ?? '', /^BQ-/);
  assert.doesNotMatch((await browser.get('/users/settings')).payload, /sign in again/);
  standIn.tokens.revoke('kestrel');
  clock.advance(3600);
  assert.equal(await token(), null);
  // Logging in by the catalog also counts as signing in.
  await logInByCatalog(newBrowser(), 'kestrel');
  assert.match((await token()) ?? '', /^BQ-/);
});

test('an unreachable catalog breaks no link', async (t) => {
  const { clock, token, standIn, row } = await openLinked(t);
  clock.advance(3600);
  const mishaps: Mishap[] = [
    { status: 503 },
    { status: 200, body: '<html>' },
    { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":"invalid_client"}' },
    { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } },
  ];
  for (const mishap of mishaps) {
    standIn.mishaps.push({ path: '/api/token', ...mishap });
    await assert.rejects(token(), { code: 'catalog_error' }, String(mishap.status));
  }
  assert.equal((await row()).needs_sign_in, false);
  assert.match((await token()) ?? '', /^BQ-/);
});

test('a refused token is replaced once per token', async (t) => {
  const { context, userId, refreshes } = await openLinked(t);
  const first = await userCatalogToken(context, userId);
  const second = await userCatalogToken(context, userId, first);
  assert.notEqual(second?.reveal(), first?.reveal());
  const third = await userCatalogToken(context, userId, first);
  assert.equal(third?.reveal(), second?.reveal());
  assert.equal(refreshes(), 1);
});

test('tokens with a lost key, or copied to another row, are treated as missing', async (t) => {
  const { context, userId, token, logLines, newBrowser } = await openLinked(t);
  const other = { ...context, secrets: createSecrets(() => [Buffer.alloc(32, 9)]) };
  assert.equal(await token(other), null);
  assert.match(logLines.join(), /which this studio does not have: set SECRET_KEY_PREVIOUS/);
  await logInByCatalog(newBrowser(), 'nadia');
  const [mine, theirs] = await context.db.selectFrom('connections').selectAll().orderBy('user_id').execute();
  assert.ok(mine && theirs && mine.user_id === userId);
  const { secret, refresh_token } = theirs;
  const swapped = { secret, refresh_token };
  await context.db.updateTable('connections').set(swapped).where('id', '=', mine.id).execute();
  assert.equal(await token(), null);
  assert.match(logLines.join(), /was changed, or belongs to another record/);
});

test('a user without a linked account has no token', async (t) => {
  const { context, registered } = await openLinked(t);
  const ada = await accountOf(await registered('ada@example.org'));
  assert.equal(await userCatalogToken(context, ada?.id ?? 0), null);
});
