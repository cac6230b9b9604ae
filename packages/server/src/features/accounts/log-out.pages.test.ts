import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from '../../platform/clock.ts';
import { closeTopic } from '../../platform/socket/close-sockets.ts';
import {
  askAccount,
  createKeyIn,
  goodPassword,
  logInWith,
  openAccountsApp,
  registeredBrowser,
} from '../../testing/account-steps.ts';
import { FormBrowser, formOn } from '../../testing/form-browser.ts';
import { listenTo } from '../../testing/library-steps.ts';
import { hashOfToken } from './hash-of-token.ts';

const email = 'mira@example.org';
const everywhere = '/users/log-out/everywhere';

test("the settings list the user's logins and mark the current browser", async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const phone = new FormBrowser(app);
  const page = await phone.get('/users/log-in');
  await phone.request({
    method: 'POST',
    url: '/users/log-in',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0 <b>',
    },
    payload: new URLSearchParams({
      ...formOn(page.payload, '/users/log-in').hidden,
      'user[email]': email,
      'user[password]': goodPassword,
    }).toString(),
  });
  const here = (await browser.get('/users/settings')).payload;
  assert.match(here, /<strong>another browser<\/strong> \(this browser\)/);
  assert.match(here, /<strong>Firefox on Android<\/strong>\n/);
  const there = (await phone.get('/users/settings')).payload;
  assert.match(there, /<strong>Firefox on Android<\/strong> \(this browser\)/);
  for (const other of [browser, phone])
    assert.ok(!here.includes(hashOfToken(other.cookies.get('stem_studio_session') ?? '')));
});

test('logging out everywhere ends every login with its sockets and keeps the keys', async (t) => {
  const { app, context } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  const { key } = await createKeyIn(browser, 'program');
  const elsewhere = new FormBrowser(app);
  await logInWith(elsewhere, email, goodPassword);
  const other = await registeredBrowser(app, 'other@example.org');
  const closed = listenTo(context, closeTopic);
  const ids = [browser, elsewhere].map(({ cookies }) =>
    hashOfToken(cookies.get('stem_studio_session') ?? ''),
  );
  const form = formOn((await browser.get('/users/settings')).payload, everywhere);
  const reply = await browser.submit(form);
  assert.equal(reply.statusCode, 303);
  assert.equal(reply.headers.location, '/users/log-in');
  assert.equal(browser.cookies.has('stem_studio_session'), false);
  assert.match((await browser.get('/users/log-in')).payload, /logged out, here and in every other browser/);
  assert.equal((await elsewhere.get('/users/settings')).statusCode, 303);
  assert.equal((await other.get('/users/settings')).statusCode, 200);
  assert.equal((await askAccount(app, key)).statusCode, 200);
  // Messages between processes arrive shortly afterwards.
  while (closed.length < ids.length) await pause(5);
  const closedIds = closed.map(({ payload }) => String(payload['login_session_id']));
  assert.deepEqual(closedIds.toSorted(), ids.toSorted());
});

test('neither another site nor a GET can log a user out everywhere', async (t) => {
  const { app } = await openAccountsApp(t);
  const browser = await registeredBrowser(app, email);
  assert.equal((await browser.post(everywhere, { _method: 'delete' })).statusCode, 403);
  assert.equal((await browser.get(everywhere)).statusCode, 404);
  const { hidden } = formOn((await browser.get('/users/settings')).payload, everywhere);
  assert.equal((await browser.post(everywhere, { ...hidden, _method: 'post' })).statusCode, 404);
  assert.equal((await browser.get('/users/settings')).statusCode, 200);
});
