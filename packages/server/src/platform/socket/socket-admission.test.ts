import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { errorBody } from '@stem-studio/contract/errors';
import { closeCodes } from '@stem-studio/contract/frame';
import { rateLimits } from '@stem-studio/contract/limits';
import { cutListeners } from '../../testing/cut-listeners.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { connectClient, joined, rawClient, socketUrl } from '../../testing/socket-client.ts';
import { openTestSockets } from '../../testing/test-channels.ts';
import { createStillClock } from '../../testing/test-clock.ts';
import type { TestLifetime, TestOverrides } from '../../testing/test-context.ts';
import type { Authenticator } from '../http/viewer.ts';
import { closeSockets } from './close-sockets.ts';

async function open(t: TestLifetime, authenticator?: Authenticator, overrides?: TestOverrides) {
  const opened = await openTestSockets(t, authenticator, overrides);
  const url = socketUrl(opened.address);
  return {
    ...opened,
    url,
    live: socketUrl(opened.address, '/live'),
    port: Number(new URL(opened.address).port),
    socketOf: (token: string) => rawClient(t, url, `vsn=2.0.0&token=${token}`),
  };
}

test('rejects invalid upgrades in the envelope, with the rate limit headers', async (t) => {
  const { port } = await open(t);
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const cases: [string, string, number][] = [
    ['/socket/websocket?vsn=2.0.0', key, 401],
    ['/live/websocket?vsn=2.0.0', key, 401],
    ['/live/websocket/?vsn=2.0.0', key, 404],
    ['//', key, 404],
    ['//[', key, 404],
    ['http://[', key, 404],
    ['/socket/websocket?vsn=2.0.0&token=7', '', 400],
    ['/socket/websocket?vsn=1.0.0&token=7', key, 400],
  ];
  for (const [path, header, wanted] of cases) {
    const stream = connect(port, '127.0.0.1');
    stream.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n${header}\r\n`,
    );
    let reply = '';
    for await (const chunk of stream) reply += String(chunk);
    const [head = '', body = ''] = reply.split('\r\n\r\n', 2);
    assert.equal(Number(head.split(' ')[1]), wanted, path);
    errorBody.parse(JSON.parse(body));
    for (const name of ['limit', 'remaining', 'reset'])
      assert.match(head, new RegExp(`^x-ratelimit-${name}: \\d+\r?$`, 'm'), path);
  }
});

test('closes a socket whose login ends while it opens', async (t) => {
  let endMeanwhile: (() => Promise<void>) | undefined;
  let isActive = true;
  const { context, socketOf } = await open(t, {
    ...fakeAuthenticator,
    viewerOfSocket: async (request) => {
      const viewer = isActive ? await fakeAuthenticator.viewerOfSocket(request) : null;
      const end = endMeanwhile;
      endMeanwhile = undefined;
      await end?.();
      return viewer;
    },
  });
  endMeanwhile = async () => {
    isActive = false;
    const notified = new Promise<void>((resolve) => context.bus.subscribe('system:sockets', () => resolve()));
    await closeSockets(context.db, { user_id: 7 });
    await notified;
  };
  assert.equal((await (await socketOf('7')).closed).code, closeCodes.loginEnded);
});

test('closes a socket whose login ended while the database listener was disconnected', async (t) => {
  let isActive = true;
  const { context, socketOf } = await open(t, {
    ...fakeAuthenticator,
    viewerOfSocket: async (request) => {
      const viewer = await fakeAuthenticator.viewerOfSocket(request);
      return viewer?.id === 7 && !isActive ? null : viewer;
    },
  });
  const [mine, other] = await Promise.all([socketOf('7'), socketOf('8')]);
  isActive = false;
  const back = new Promise<void>((resolve) => context.bus.onGap(() => resolve()));
  await cutListeners(context.db);
  await back;
  assert.equal((await mine.closed).code, closeCodes.loginEnded);
  assert.equal(other.client.readyState, other.client.OPEN);
});

test('opens the live socket only for the login cookie of own pages with their CSRF token', async (t) => {
  const { live, address } = await open(t);
  const cookie = { cookie: 'user=7' };
  const own = { ...cookie, origin: address };
  const status = async (query: string, headers: Record<string, string>) =>
    (await rawClient(t, live, query, headers)).status;
  assert.equal(await status('vsn=2.0.0&_csrf_token=yes', own), 101);
  assert.equal(await status('vsn=2.0.0', own), 403);
  assert.equal(await status('vsn=2.0.0&_csrf_token=no', own), 403);
  assert.equal(await status('vsn=2.0.0&_csrf_token=yes', cookie), 403);
  assert.equal(await status('vsn=2.0.0&_csrf_token=yes', { ...cookie, origin: 'https://evil.example' }), 403);
  assert.equal(await status('vsn=2.0.0&_csrf_token=yes', { ...cookie, origin: 'null' }), 403);
  assert.equal(await status('vsn=2.0.0&_csrf_token=yes', { origin: address }), 401);
  assert.equal(await status('vsn=2.0.0&_csrf_token=yes&token=7', { origin: address }), 401);
  assert.equal(await status('vsn=1.0.0&_csrf_token=yes', own), 400);
});

test('serves each socket only its own topics', async (t) => {
  const { url, live, address } = await open(t);
  const headers = { cookie: 'user=7', origin: address };
  const ok = ['1', '1', 'phx_reply', 'ok'];
  const refused = ['1', '1', 'phx_reply', 'error'];
  const answer = async (path: string, topic: string) => {
    const client = await rawClient(t, path, 'vsn=2.0.0&_csrf_token=yes', headers);
    client.send(['1', '1', topic, 'phx_join', {}]);
    const [joinRef, ref, , event, payload] = await client.next();
    return [joinRef, ref, event, (payload as { status: string }).status];
  };
  assert.deepEqual(await answer(live, 'live_tests:7'), ok);
  assert.deepEqual(await answer(live, 'live_tests:8'), refused);
  assert.deepEqual(await answer(live, 'tests:7'), refused);
  assert.deepEqual(await answer(url, 'tests:7'), ok);
  assert.deepEqual(await answer(url, 'live_tests:7'), refused);
});

test('counts unauthenticated requests by forwarded address behind a trusted proxy, else by connection', async (t) => {
  const bucketsOf = async (trustedProxies: string[]) => {
    // The clock stands still, so that no window ends in between.
    const overrides = { config: { trustedProxies }, clock: createStillClock() };
    const { context, url } = await open(t, undefined, overrides);
    const addresses = ['203.0.113.7', '203.0.113.8', '198.51.100.1, 203.0.113.8'];
    // One subscriber has a whole network of this size.
    for (const forwarded of [...addresses, '2001:db8:1:2::7', '2001:db8:1:2:ffff::8']) {
      const refused = await rawClient(t, url, 'vsn=2.0.0', { 'x-forwarded-for': forwarded });
      assert.equal(refused.status, 401);
    }
    const rows = await context.db.selectFrom('rate_limits').select(['bucket', 'count']).execute();
    return Object.fromEntries(rows.map(({ bucket, count }) => [bucket, count]));
  };
  assert.deepEqual(await bucketsOf(['loopback']), {
    'web:address:203.0.113.7': 1,
    'web:address:203.0.113.8': 2,
    'web:address:2001:db8:1:2::/64': 2,
  });
  assert.deepEqual(await bucketsOf([]), { 'web:address:127.0.0.1': 5 });
});

test('rejects repeated unauthenticated upgrades with 429', async (t) => {
  const { context, url } = await open(t, undefined, { clock: createStillClock() });
  const { requests } = rateLimits.web;
  assert.equal((await rawClient(t, url, 'vsn=2.0.0')).status, 401);
  await context.db.updateTable('rate_limits').set({ count: requests }).execute();
  assert.equal((await rawClient(t, url, 'vsn=2.0.0')).status, 429);
});

test('accepts the subprotocols of the public client', async (t) => {
  const { url } = await open(t);
  const one = connectClient(t, url, { params: { token: '7' }, authToken: 'sst_token' }).channel('tests:7');
  assert.equal((await joined(one)).status, 'ok');
});

test('closes a socket when its login expires, unless it was renewed', async (t) => {
  const soon = (ms: number) => new Date(Date.now() + ms);
  const asked = new Map<number, number>();
  const { socketOf } = await open(t, {
    ...fakeAuthenticator,
    viewerOfSocket: async (request) => {
      const viewer = await fakeAuthenticator.viewerOfSocket(request);
      if (!viewer) return null;
      const times = (asked.get(viewer.id) ?? 0) + 1;
      asked.set(viewer.id, times);
      // User 7 expires; 8 was renewed; 9 has the same login although it has expired; 10 has another role by then.
      if (viewer.id === 7) return times === 1 ? { ...viewer, expires_at: soon(200) } : null;
      if (viewer.id === 8) return { ...viewer, expires_at: soon(times === 1 ? 200 : 5e9) };
      if (viewer.id === 9) return { ...viewer, expires_at: soon(times === 1 ? 200 : -1) };
      return { ...viewer, role: times === 1 ? 'admin' : 'user', expires_at: soon(200) };
    },
  });
  const [over, renewed, late, other] = await Promise.all(['7', '8', '9', '10'].map(socketOf));
  assert.equal((await over?.closed)?.code, closeCodes.loginEnded);
  assert.equal((await late?.closed)?.code, closeCodes.loginEnded);
  assert.equal((await other?.closed)?.code, closeCodes.goingAway);
  assert.equal(renewed?.client.readyState, renewed?.client.OPEN);
  assert.ok((asked.get(8) ?? 0) <= 3);
});
