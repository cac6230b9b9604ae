import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodPassword, logInWith } from '../../../testing/account-steps.ts';
import {
  accountOf,
  goToCatalog,
  linkCatalog,
  linkPathOf,
  logInByCatalog,
  openCatalogStudio,
  sayAtCatalog,
} from '../../../testing/catalog-login-steps.ts';
import { formOn } from '../../../testing/form-browser.ts';
import { standInPeople } from '../../../testing/stand-ins/catalog-authorization.ts';
import { deactivateUser } from '../index.ts';

test('a browser is sent to the catalog with a unique state and PKCE challenge', async (t) => {
  const { newBrowser, standIn } = await openCatalogStudio(t);
  const [one, two] = [newBrowser(), newBrowser()];
  const first = new URL(await goToCatalog(one));
  const second = new URL(await goToCatalog(two));
  assert.equal(first.origin + first.pathname, standIn.authorizeUrl);
  const { state, code_challenge, ...rest } = Object.fromEntries(first.searchParams);
  assert.deepEqual(rest, {
    response_type: 'code',
    client_id: standIn.clientId,
    scope: 'playlist-read-private playlist-read-collaborative',
    redirect_uri: 'http://127.0.0.1:4000/auth/catalog/callback',
    code_challenge_method: 'S256',
  });
  assert.match(`${state} ${code_challenge}`, /^[\w-]{43} [\w-]{43}$/);
  assert.notEqual(second.searchParams.get('state'), state);
  assert.notEqual(second.searchParams.get('code_challenge'), code_challenge);
  const [cookie = ''] = one.setCookies;
  assert.match(cookie, /^stem_studio_catalog=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
  assert.ok(!cookie.includes(state ?? ' '));
});

test('the first visit registers a user, and later visits log in the same user under a new login each time', async (t) => {
  const { newBrowser, context } = await openCatalogStudio(t);
  const browser = newBrowser();
  const reply = await logInByCatalog(browser, 'kestrel');
  assert.deepEqual([reply.statusCode, reply.headers.location], [303, '/']);
  assert.ok(browser.setCookies.some((line) => /^stem_studio_session=[\w-]{43};.*HttpOnly/.test(line)));
  assert.ok(!browser.cookies.has('stem_studio_catalog'));
  const account = await accountOf(browser);
  assert.match(account?.email ?? '', /^catalog-[0-9a-z]{12}@users\.invalid$/);
  const firstCookie = browser.cookies.get('stem_studio_session');
  const other = newBrowser();
  await logInByCatalog(other, 'kestrel');
  assert.equal((await accountOf(other))?.id, account?.id);
  assert.notEqual(other.cookies.get('stem_studio_session'), firstCookie);
  const rows = await context.db.selectFrom('users').selectAll().execute();
  assert.deepEqual(
    rows.map(({ role, password_hash }) => [role, password_hash]),
    [['user', null]],
  );
});

test('simultaneous first visits from several browsers register one user', async (t) => {
  const { newBrowser, context } = await openCatalogStudio(t);
  const ways = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const browser = newBrowser();
      return { browser, back: await sayAtCatalog(await goToCatalog(browser), 'kestrel') };
    }),
  );
  const replies = await Promise.all(ways.map(({ browser, back }) => browser.get(back)));
  assert.deepEqual(
    replies.map(({ headers }) => headers.location),
    replies.map(() => '/'),
  );
  assert.equal((await context.db.selectFrom('users').selectAll().execute()).length, 1);
  assert.equal((await context.db.selectFrom('login_sessions').selectAll().execute()).length, 5);
});

test("logging in by the catalog ends the browser's previous login", async (t) => {
  const { newBrowser, context } = await openCatalogStudio(t);
  const browser = newBrowser();
  const back = await sayAtCatalog(await goToCatalog(browser), 'kestrel');
  // Meanwhile, in another tab of the browser.
  const page = await browser.get('/users/register');
  await browser.submit(formOn(page.payload, '/users/register'), {
    'user[email]': 'ada@example.org',
    'user[password]': goodPassword,
  });
  assert.equal((await browser.get(back)).headers.location, '/');
  assert.match((await accountOf(browser))?.email ?? '', /^catalog-/);
  assert.equal((await context.db.selectFrom('login_sessions').selectAll().execute()).length, 1);
});

test('an email address at the catalog gives no access to the account with that address', async (t) => {
  const { newBrowser, registered } = await openCatalogStudio(t);
  const ada = await registered('ada@example.org');
  const victim = await accountOf(ada);
  const attacker = newBrowser();
  // Nadia's account at the catalog has the address ada@example.org.
  await logInByCatalog(attacker, 'nadia');
  const came = await accountOf(attacker);
  assert.ok(came && victim && came.id !== victim.id);
  assert.notEqual(came.email, 'ada@example.org');
  assert.doesNotMatch((await ada.get('/users/settings')).payload, /is linked since/);
});

test('a user links their account on the settings page, logs in with it and unlinks it', async (t) => {
  const { newBrowser, registered, context } = await openCatalogStudio(t);
  const ada = await registered('ada@example.org');
  const reply = await linkCatalog(ada, 'nadia');
  assert.deepEqual([reply.statusCode, reply.headers.location], [303, '/users/settings']);
  const settings = (await ada.get('/users/settings')).payload;
  assert.match(settings, /Your catalog account is linked\./);
  assert.match(settings, /<strong>Nadia &lt;Voss&gt;<\/strong> is linked since/);
  const elsewhere = newBrowser();
  await logInByCatalog(elsewhere, 'nadia');
  assert.equal((await accountOf(elsewhere))?.email, 'ada@example.org');

  const unlinked = await ada.submit(formOn(settings, '/users/settings/catalog'));
  assert.deepEqual([unlinked.statusCode, unlinked.headers.location], [303, '/users/settings']);
  assert.match((await ada.get('/users/settings')).payload, /unlinked, and its tokens are deleted/);
  assert.deepEqual(await context.db.selectFrom('connections').selectAll().execute(), []);
  const stranger = newBrowser();
  await logInByCatalog(stranger, 'nadia');
  assert.match((await accountOf(stranger))?.email ?? '', /^catalog-/);
  const entries = await context.db.selectFrom('audit_log').select(['action', 'details']).execute();
  assert.deepEqual(entries.slice(0, 2), [
    { action: 'catalog_account_linked', details: {} },
    { action: 'catalog_account_unlinked', details: {} },
  ]);
});

test('a catalog account linked elsewhere, or a second one, is refused with a message', async (t) => {
  const { newBrowser, registered, context } = await openCatalogStudio(t);
  await logInByCatalog(newBrowser(), 'nadia');
  const ada = await registered('ada@example.org');
  const taken = await linkCatalog(ada, 'nadia');
  assert.equal(taken.statusCode, 422);
  assert.match(taken.payload, /linked with another account of this studio/);
  const path = await linkPathOf(ada);
  await linkCatalog(ada, 'kestrel');
  // The button is absent, but its address still responds.
  assert.doesNotMatch((await ada.get('/users/settings')).payload, /auth\/catalog\?link/);
  await context.db.deleteFrom('connections').where('account_id', '=', standInPeople.nadia.id).execute();
  const second = await ada.get(await sayAtCatalog(await goToCatalog(ada, path), 'nadia'));
  assert.equal(second.statusCode, 422);
  assert.match(second.payload, /linked with another catalog account/);
});

test('closed registration rejects new users from the catalog and accepts linked ones', async (t) => {
  const { newBrowser, registered, context } = await openCatalogStudio(t);
  await linkCatalog(await registered('ada@example.org'), 'nadia');
  Object.assign(context.config, { registration: 'closed' });
  const stranger = newBrowser();
  const reply = await logInByCatalog(stranger, 'kestrel');
  assert.equal(reply.statusCode, 403);
  assert.match(reply.payload, /registration is closed/);
  assert.equal(await accountOf(stranger), null);
  const known = newBrowser();
  assert.equal((await logInByCatalog(known, 'nadia')).headers.location, '/');
  assert.equal((await context.db.selectFrom('users').select('id').execute()).length, 1);
});

test('a deactivated user cannot log in by the catalog', async (t) => {
  const { newBrowser, context } = await openCatalogStudio(t);
  const browser = newBrowser();
  await logInByCatalog(browser, 'kestrel');
  const account = await accountOf(browser);
  await context.db.transaction().execute((tx) => deactivateUser(tx, account?.id ?? 0, null));
  const reply = await logInByCatalog(newBrowser(), 'kestrel');
  assert.equal(reply.statusCode, 403);
  assert.match(reply.payload, /This account is deactivated/);
  assert.equal((await context.db.selectFrom('login_sessions').selectAll().execute()).length, 0);
});

test('a user who declines at the catalog returns to where they were, with a message', async (t) => {
  const { newBrowser, registered } = await openCatalogStudio(t);
  const browser = newBrowser();
  const reply = await browser.get(await sayAtCatalog(await goToCatalog(browser), 'deny'));
  assert.equal(reply.headers.location, '/users/log-in');
  assert.match((await browser.get('/users/log-in')).payload, /You did not allow access at the catalog/);
  const ada = await registered('ada@example.org');
  const denied = await ada.get(await sayAtCatalog(await goToCatalog(ada, await linkPathOf(ada)), 'deny'));
  assert.equal(denied.headers.location, '/users/settings');
});

test('unlinking is refused while it is the only way to log in; a first password permits it', async (t) => {
  const { newBrowser, context } = await openCatalogStudio(t);
  const browser = newBrowser();
  await logInByCatalog(browser, 'kestrel');
  const settings = (await browser.get('/users/settings')).payload;
  const refused = await browser.submit(formOn(settings, '/users/settings/catalog'));
  assert.equal(refused.statusCode, 422);
  assert.match(refused.payload, /The catalog is your only way in/);
  assert.doesNotMatch(settings, /Current password/);

  const form = formOn(settings, '/users/settings/first-password');
  const wrong = await browser.submit(form, { 'user[email]': 'k@example.org', 'user[password]': 'short' });
  assert.equal(wrong.statusCode, 422);
  assert.match(wrong.payload, /must be at least 12 characters/);
  const before = browser.cookies.get('stem_studio_session');
  const typed = { 'user[email]': 'k@example.org', 'user[password]': goodPassword };
  assert.equal((await browser.submit(form, typed)).statusCode, 303);
  assert.notEqual(browser.cookies.get('stem_studio_session'), before);
  const changed = (await browser.get('/users/settings')).payload;
  assert.equal((await browser.submit(formOn(changed, '/users/settings/catalog'))).statusCode, 303);
  assert.equal((await logInWith(newBrowser(), 'k@example.org', goodPassword)).statusCode, 303);
  assert.equal((await context.db.selectFrom('users').selectAll().execute()).length, 1);
});

test('a first password requires a recent login and an unused address, and can be set once', async (t) => {
  const { newBrowser, registered, context } = await openCatalogStudio(t);
  await registered('ada@example.org');
  const browser = newBrowser();
  await logInByCatalog(browser, 'kestrel');
  const form = formOn((await browser.get('/users/settings')).payload, '/users/settings/first-password');
  const typed = { 'user[email]': 'ada@example.org', 'user[password]': goodPassword };
  const taken = await browser.submit(form, typed);
  assert.equal(taken.statusCode, 422);
  assert.match(taken.payload, /belongs to another account/);
  const account = await accountOf(browser);
  await context.db
    .updateTable('login_sessions')
    .set({ created_at: new Date(context.clock.now().getTime() - 16 * 60_000) })
    .where('user_id', '=', account?.id ?? 0)
    .execute();
  const old = await browser.submit(form, { ...typed, 'user[email]': 'k@example.org' });
  assert.equal(old.statusCode, 403);
  const password = await context.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', account?.id ?? 0)
    .execute();
  assert.deepEqual([password[0]?.password_hash, password[0]?.email], [null, account?.email]);
});

test('without credentials the feature is absent', async (t) => {
  const { newBrowser, registered, standIn } = await openCatalogStudio(t, {
    config: {
      webCatalog: {
        clientId: null,
        clientSecret: null,
        apiUrl: 'http://x',
        tokenUrl: 'http://x',
        authorizeUrl: 'http://x',
      },
    },
  });
  const browser = newBrowser();
  for (const path of ['/auth/catalog', '/auth/catalog/callback?code=a&state=b'])
    assert.equal((await browser.get(path)).statusCode, 404, path);
  for (const path of ['/users/log-in', '/users/register'])
    assert.doesNotMatch((await browser.get(path)).payload, /auth\/catalog/);
  const ada = await registered('ada@example.org');
  assert.doesNotMatch((await ada.get('/users/settings')).payload, /Catalog account/);
  assert.deepEqual(standIn.requests, []);
});
