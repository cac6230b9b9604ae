import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { errorBody } from '@stem-studio/contract/errors';
import { sql } from 'kysely';
import { WebSocket } from 'ws';
import { createApp } from '../../app.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import type { Authenticator } from '../http/viewer.ts';
import { closeSockets } from './close-sockets.ts';

async function open(t: TestLifetime, authenticator: Authenticator = fakeAuthenticator) {
  const context = await openTestContext(t);
  const service = await createApp(context, [], authenticator);
  context.beforeClose(() => service.stop());
  const address = await service.listen(0, '127.0.0.1');
  const socketOf = (token: string) =>
    new WebSocket(`${address.replace('http', 'ws')}/socket/websocket?vsn=2.0.0&token=${token}`);
  return { context, port: Number(new URL(address).port), socketOf };
}

const opened = (socket: WebSocket) => new Promise((resolve) => socket.once('open', resolve));
const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));

test('whatever opens no socket is refused in the envelope, with the rate limit headers', async (t) => {
  const { port } = await open(t);
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const cases: [string, string, number][] = [
    ['/socket/websocket?vsn=2.0.0', key, 401],
    ['/live/websocket?vsn=2.0.0', key, 404],
    ['//', key, 404],
    ['//[', key, 404],
    ['http://[', key, 404],
    ['/socket/websocket?vsn=2.0.0&token=7', '', 400],
    ['/socket/websocket?vsn=1.0.0&token=7', key, 400],
  ];
  for (const [path, header, wanted] of cases) {
    const stream = connect(port, '127.0.0.1');
    stream.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n${header}\r\n`,
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

test('a login that ends while its socket opens leaves no socket', async (t) => {
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
    const heard = new Promise<void>((resolve) => context.bus.subscribe('system:sockets', () => resolve()));
    await closeSockets(context.db, { user_id: 7 });
    await heard;
  };
  assert.equal(await closed(socketOf('7')), 1000);
});

test('a login that ended while the database could not be heard has no socket after that', async (t) => {
  let isActive = true;
  const { context, socketOf } = await open(t, {
    ...fakeAuthenticator,
    viewerOfSocket: async (request) => {
      const viewer = await fakeAuthenticator.viewerOfSocket(request);
      return viewer?.id === 7 && !isActive ? null : viewer;
    },
  });
  const mine = socketOf('7');
  const other = socketOf('8');
  await Promise.all([opened(mine), opened(other)]);
  isActive = false;
  const back = new Promise<void>((resolve) => context.bus.onGap(() => resolve()));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen%' and datname = current_database()`.execute(context.db);
  await back;
  assert.equal(await closed(mine), 1000);
  assert.equal(other.readyState, WebSocket.OPEN);
  other.terminate();
});
