import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietReply } from '@stem-studio/contract/channel';
import { closeCodes } from '@stem-studio/contract/frame';
import { systemClock } from '../../platform/clock.ts';
import { createKeyIn, openAccountsApp, registeredBrowser } from '../../testing/account-steps.ts';
import { formOn } from '../../testing/form-browser.ts';
import {
  connectClient,
  joined,
  type RawClient,
  rawClient,
  socketUrl,
  until,
} from '../../testing/socket-client.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { tracks } from '../tracks/index.ts';
import { deactivateUser } from './index.ts';
import { changeRole } from './operator.service.ts';

async function open(t: TestLifetime) {
  const { app, context, service } = await openAccountsApp(t, { features: [tracks], clock: systemClock });
  const browser = await registeredBrowser(app, 'mira@example.org');
  const address = await service.listen(0, '127.0.0.1');
  const { id } = await context.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const login = browser.cookies.get('stem_studio_session') ?? '';
  return {
    app,
    context,
    address,
    browser,
    id,
    headers: { cookie: `stem_studio_session=${login}`, origin: address },
  };
}

test("the public client opens a socket with its authToken and joins the user's library", async (t) => {
  const { address, browser, id } = await open(t);
  const { key } = await createKeyIn(browser, 'program');
  const one = connectClient(t, socketUrl(address), { authToken: key }).channel(`library:${id}`);
  const { status: answer, response } = await joined(one);
  assert.equal(answer, 'ok');
  assert.ok(quietReply.parse(response).quiet_ms <= 60_000);
  const { status } = await rawClient(t, socketUrl(address), `vsn=2.0.0&token=${key}x`);
  assert.equal(status, 401);
});

test("the live socket accepts only a CSRF token of this login's pages", async (t) => {
  const { app, address, browser, headers } = await open(t);
  const tokenOf = (page: string) =>
    encodeURIComponent(/name="_csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? '');
  const live = async (token: string) =>
    (await rawClient(t, socketUrl(address, '/live'), `vsn=2.0.0&_csrf_token=${token}`, headers)).status;
  const { payload: page } = await browser.get('/users/settings');
  assert.notEqual(tokenOf(page), '');
  assert.equal(await live(tokenOf(page)), 101);
  const stranger = await registeredBrowser(app, 'otto@example.org');
  const { payload: theirs } = await stranger.get('/users/settings');
  assert.equal(await live(tokenOf(theirs)), 403);
  assert.equal(await live(''), 403);
});

test('log-out, a revoked key and deactivation close the sockets that they authenticated', async (t) => {
  const { address, context, browser, id, headers } = await open(t);
  const { key, id: keyId, page } = await createKeyIn(browser, 'program');
  const other = await createKeyIn(browser, 'another');
  const url = socketUrl(address);
  const byCookie = await rawClient(t, url, 'vsn=2.0.0', headers);
  const byKey = await rawClient(t, url, `vsn=2.0.0&token=${key}`);
  const byOther = await rawClient(t, url, `vsn=2.0.0&token=${other.key}`);
  // A socket that is also to be closed would close before it replies.
  const answers = async (one: RawClient) => {
    let isClosed = false;
    void one.closed.then(() => (isClosed = true));
    one.send([null, '1', 'phoenix', 'heartbeat', {}]);
    await until(() => isClosed || one.frames.length > 0);
    return one.frames.shift() !== undefined;
  };
  const all = (clients: readonly RawClient[]) => Promise.all(clients.map(answers));
  assert.deepEqual(await all([byCookie, byKey, byOther]), [true, true, true]);
  await browser.submit(formOn(page, `/users/settings/api-keys/${keyId}`));
  assert.equal((await byKey.closed).code, closeCodes.loginEnded);
  assert.deepEqual(await all([byCookie, byOther]), [true, true]);
  await browser.submit(formOn((await browser.get('/users/settings')).payload, '/users/log-out'));
  assert.equal((await byCookie.closed).code, closeCodes.loginEnded);
  assert.deepEqual(await all([byOther]), [true]);
  assert.equal((await rawClient(t, url, 'vsn=2.0.0', headers)).status, 401);
  await context.db.transaction().execute((tx) => deactivateUser(tx, id, null));
  assert.equal((await byOther.closed).code, closeCodes.loginEnded);
});

test('a socket closes when its key expires, and its client cannot reopen it', async (t) => {
  const { address, context, browser } = await open(t);
  const { key, id } = await createKeyIn(browser, 'short', '30');
  // A busy machine may need longer to open a socket than the key lives: then a longer life is tried.
  const openWithin = async (lifeMs: number) => {
    const expires_at = new Date(Date.now() + lifeMs);
    await context.db.updateTable('api_keys').set({ expires_at }).where('id', '=', id).execute();
    return rawClient(t, socketUrl(address), `vsn=2.0.0&token=${key}`);
  };
  let socket = await openWithin(500);
  for (let lifeMs = 1000; socket.status !== 101 && lifeMs <= 16_000; lifeMs *= 2)
    socket = await openWithin(lifeMs);
  assert.equal(socket.status, 101);
  assert.equal((await socket.closed).code, closeCodes.loginEnded);
  assert.equal((await rawClient(t, socketUrl(address), `vsn=2.0.0&token=${key}`)).status, 401);
});

test("a role change closes the user's sockets, which may be reopened", async (t) => {
  const { address, context, browser, id } = await open(t);
  const { key } = await createKeyIn(browser, 'program');
  const socket = await rawClient(t, socketUrl(address), `vsn=2.0.0&token=${key}`);
  assert.equal(await changeRole(context, id, 'admin'), 'user');
  assert.equal((await socket.closed).code, closeCodes.loginEnded);
  assert.equal((await rawClient(t, socketUrl(address), `vsn=2.0.0&token=${key}`)).status, 101);
});
