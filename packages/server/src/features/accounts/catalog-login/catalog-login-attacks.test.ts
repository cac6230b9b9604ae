import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountOf,
  goToCatalog,
  linkCatalog,
  linkPathOf,
  logInByCatalog,
  openCatalogStudio,
  sayAtCatalog,
} from '../../../testing/catalog-login-steps.ts';
import type { FormBrowser } from '../../../testing/form-browser.ts';
import { createTestClock } from '../../../testing/test-clock.ts';

const mustRefuse = async (browser: FormBrowser, path: string) => {
  const reply = await browser.get(path);
  assert.equal(reply.statusCode, 403, path);
  assert.match(reply.payload, /started in another browser, was used already/);
  assert.ok(!browser.cookies.has('stem_studio_session'), path);
};

test('a callback that this browser did not start logs nobody in', async (t) => {
  const { newBrowser, standIn } = await openCatalogStudio(t);
  const attacker = newBrowser();
  const stolen = await sayAtCatalog(await goToCatalog(attacker), 'nadia');
  // A victim without any cookie, and one with an attempt of their own under way.
  await mustRefuse(newBrowser(), stolen);
  const underWay = newBrowser();
  const own = await goToCatalog(underWay);
  await mustRefuse(underWay, stolen);
  const code = new URLSearchParams(stolen.split('?')[1]).get('code') ?? '';
  const state = new URL(own).searchParams.get('state') ?? '';
  for (const query of [
    `code=${code}`,
    `code=${code}&state=`,
    `code=${code}&state=x`,
    `code=${code}&state=${state}&state=${state}`,
    `state=${state}`,
  ])
    await mustRefuse(underWay, `/auth/catalog/callback?${query}`);
  assert.deepEqual(standIn.tokens.grants, []);
});

test('a wrong callback does not invalidate the right one that follows', async (t) => {
  const { newBrowser } = await openCatalogStudio(t);
  const browser = newBrowser();
  const own = await goToCatalog(browser);
  await mustRefuse(browser, '/auth/catalog/callback?error=access_denied&state=forged');
  await mustRefuse(browser, '/auth/catalog/callback?code=a&state=forged');
  assert.equal((await browser.get(await sayAtCatalog(own, 'kestrel'))).headers.location, '/');
});

test('a callback is valid once, and for ten minutes', async (t) => {
  const clock = createTestClock();
  const { newBrowser, standIn, context } = await openCatalogStudio(t, { clock });
  const browser = newBrowser();
  const back = await sayAtCatalog(await goToCatalog(browser), 'kestrel');
  const cookie = browser.cookies.get('stem_studio_catalog') ?? '';
  assert.equal((await browser.get(back)).headers.location, '/');
  const thief = newBrowser();
  thief.cookies.set('stem_studio_catalog', cookie);
  await mustRefuse(thief, back);
  assert.equal(standIn.tokens.grants.length, 1);
  const late = newBrowser();
  const lateBack = await sayAtCatalog(await goToCatalog(late), 'kestrel');
  clock.advance(601);
  await mustRefuse(late, lateBack);
  assert.deepEqual(await context.db.selectFrom('catalog_attempts').selectAll().execute(), []);
});

test('one of two simultaneous identical callbacks logs in', async (t) => {
  const { newBrowser, context } = await openCatalogStudio(t);
  const browser = newBrowser();
  const back = await sayAtCatalog(await goToCatalog(browser), 'kestrel');
  const replies = await Promise.all([browser.get(back), browser.get(back)]);
  assert.deepEqual(
    replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [303, 403],
  );
  assert.equal((await context.db.selectFrom('users').selectAll().execute()).length, 1);
});

test('a forged or altered cookie is rejected', async (t) => {
  const { newBrowser } = await openCatalogStudio(t);
  const browser = newBrowser();
  const back = await sayAtCatalog(await goToCatalog(browser), 'kestrel');
  const cookie = browser.cookies.get('stem_studio_catalog') ?? '';
  for (const forged of ['x', 'x.y', `A${cookie}`, cookie.slice(0, -2)]) {
    browser.cookies.set('stem_studio_catalog', forged);
    await mustRefuse(browser, back);
  }
});

test('no other site can start linking a catalog account for a logged-in user', async (t) => {
  const { registered, newBrowser, context } = await openCatalogStudio(t);
  const ada = await registered('ada@example.org');
  const mallory = await registered('mallory@example.org');
  const others = await linkPathOf(mallory);
  for (const path of ['/auth/catalog', '/auth/catalog?link=x', others]) {
    const reply = await ada.get(path);
    assert.equal(reply.headers.location, '/users/settings#catalog', path);
    assert.ok(!ada.cookies.has('stem_studio_catalog'));
  }
  // An attempt started to link one login must not link another one.
  const back = await sayAtCatalog(await goToCatalog(mallory, others), 'nadia');
  const cookie = mallory.cookies.get('stem_studio_catalog') ?? '';
  ada.cookies.set('stem_studio_catalog', cookie);
  assert.equal((await ada.get(back)).statusCode, 403);
  assert.deepEqual(await context.db.selectFrom('connections').selectAll().execute(), []);
  // A user who logs out meanwhile and returns anonymously is not logged in either.
  const again = await sayAtCatalog(await goToCatalog(mallory, await linkPathOf(mallory)), 'nadia');
  const nobody = newBrowser();
  nobody.cookies.set('stem_studio_catalog', mallory.cookies.get('stem_studio_catalog') ?? '');
  await mustRefuse(nobody, again);
});

test('the callback redirects to / and never to an address from the request', async (t) => {
  const { newBrowser } = await openCatalogStudio(t);
  const browser = newBrowser();
  const url = new URL(
    await goToCatalog(
      browser,
      '/auth/catalog?return_to=https://evil.example&redirect_uri=https://evil.example',
    ),
  );
  assert.equal(url.searchParams.get('redirect_uri'), 'http://127.0.0.1:4000/auth/catalog/callback');
  const back = await sayAtCatalog(url.href, 'kestrel');
  assert.equal((await browser.get(`${back}&return_to=//evil.example`)).headers.location, '/');
});

test('under another host name of this machine, the browser is redirected to the registered one', async (t) => {
  const { app, context, registered } = await openCatalogStudio(t);
  const ada = await registered('ada@example.org');
  const linking = await ada.request({ url: await linkPathOf(ada), headers: { host: 'localhost:4000' } });
  assert.equal(linking.headers.location, 'http://127.0.0.1:4000/users/settings');
  const ask = (host: string) => app.inject({ url: '/auth/catalog', headers: { host } });
  for (const host of ['localhost:4000', '[::1]:4000', '127.0.0.1:9999'])
    assert.equal((await ask(host)).headers.location, 'http://127.0.0.1:4000/auth/catalog', host);
  assert.equal((await ask('evil.example')).statusCode, 400);
  Object.assign(context.config, { allowedHosts: ['.example.org'] });
  const otherHost = await ask('studio.example.org');
  assert.deepEqual([otherHost.statusCode, otherHost.headers.location], [422, undefined]);
  assert.match(otherHost.payload, /PUBLIC_URL/);
  Object.assign(context.config, { publicUrl: 'https://studio.example.org' });
  const known = new URL(String((await ask('studio.example.org')).headers.location));
  assert.equal(known.searchParams.get('redirect_uri'), 'https://studio.example.org/auth/catalog/callback');
  assert.equal((await ask('other.example.org')).headers.location, 'https://studio.example.org/auth/catalog');
});

test('a failing, slow or malformed catalog logs nobody in and shows a message', async (t) => {
  const { newBrowser, standIn, context } = await openCatalogStudio(t);
  const json = { 'content-type': 'application/json' };
  const cases = [
    { path: '/api/token', status: 500, says: /unexpected reply/, gives: 502 },
    {
      path: '/api/token',
      status: 200,
      body: '<!doctype html><title>Just a moment',
      says: /unexpected reply/,
      gives: 502,
    },
    {
      path: '/api/token',
      status: 200,
      headers: json,
      body: '{"access_token": 7}',
      says: /unexpected reply/,
      gives: 502,
    },
    {
      path: '/api/token',
      status: 302,
      headers: { location: 'http://169.254.169.254/' },
      says: /unexpected reply/,
      gives: 502,
    },
    {
      path: '/api/token',
      status: 400,
      headers: json,
      body: '{"error":"invalid_client"}',
      says: /CATALOG_CLIENT_ID/,
      gives: 403,
    },
    {
      path: '/api/token',
      status: 400,
      headers: json,
      body: '{"error":"<b>x"}',
      says: /unknown error/,
      gives: 403,
    },
    { path: '/v1/me', status: 403, says: /developer page lists \(403\)/, gives: 403 },
    { path: '/v1/me', status: 503, says: /answered 503/, gives: 502 },
    {
      path: '/v1/me',
      status: 200,
      headers: json,
      body: '{"email":"ada@example.org"}',
      says: /unexpected reply/,
      gives: 502,
    },
    { path: '/v1/me', status: 200, headers: json, body: '<html>', says: /unexpected reply/, gives: 502 },
  ];
  for (const { says, gives, ...mishap } of cases) {
    await context.db.deleteFrom('rate_limits').execute();
    const browser = newBrowser();
    const back = await sayAtCatalog(await goToCatalog(browser), 'kestrel');
    standIn.mishaps.push(mishap);
    const reply = await browser.get(back);
    const about = `${mishap.path} ${mishap.status} ${mishap.body ?? ''}`;
    assert.equal(reply.statusCode, gives, about);
    assert.match(reply.payload, says, about);
    assert.ok(!browser.cookies.has('stem_studio_session'), about);
  }
  const browser = newBrowser();
  const back = await sayAtCatalog(await goToCatalog(browser), 'kestrel');
  await standIn.close();
  const reply = await browser.get(back);
  assert.equal(reply.statusCode, 502);
  assert.match(reply.payload, /cannot be reached/);
});

test('no token, code, state or client secret appears in a log, a page, an address or in clear in the database', async (t) => {
  const { newBrowser, registered, standIn, logLines, context } = await openCatalogStudio(t);
  const pages: string[] = [];
  const browser = newBrowser();
  const back = await sayAtCatalog(await goToCatalog(browser), 'kestrel');
  pages.push((await browser.get(back)).payload, (await browser.get('/users/settings')).payload);
  const ada = await registered('ada@example.org');
  pages.push((await linkCatalog(ada, 'nadia')).payload, (await ada.get('/users/settings')).payload);
  standIn.mishaps.push({
    path: '/v1/me',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  pages.push((await logInByCatalog(newBrowser(), 'kestrel')).payload);
  pages.push(JSON.stringify((await browser.get('/api/account')).json()));
  const rows = await context.db.selectFrom('connections').selectAll().execute();
  const everything = [...logLines, ...pages, JSON.stringify(rows)].join('\n');
  assert.ok(rows.length === 2 && logLines.length > 10 && standIn.tokens.given.length >= 9);
  const query = new URLSearchParams(back.split('?')[1]);
  const secrets = [...standIn.tokens.given, standIn.clientSecret, query.get('state') ?? 'no state'];
  for (const secret of secrets) assert.ok(!everything.includes(secret), secret);
});

test('starting and finishing are rate limited per address', async (t) => {
  const { newBrowser } = await openCatalogStudio(t);
  const browser = newBrowser();
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await browser.get('/auth/catalog')).statusCode);
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 303), 429]);
  assert.equal(await accountOf(browser), null);
});
