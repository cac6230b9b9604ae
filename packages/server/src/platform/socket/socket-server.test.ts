import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channel } from '@stem-studio/contract/channel';
import { type Channel, Socket } from 'phoenix';
import { WebSocket as WsClient } from 'ws';
import { z } from 'zod';
import { createApp } from '../../app.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import { pause } from '../clock.ts';
import type { Feature } from '../feature.ts';
import { defineChannel } from './channel.ts';
import { closeSockets } from './close-sockets.ts';
import { publish } from './publish.ts';
import { maxMessages } from './socket-connection.ts';

const room = channel({
  topic: 'rooms:{owner}',
  summary: 'A room of one user',
  socket: '/socket/websocket',
  params: z.object({ owner: z.coerce.number().int() }),
  pushes: { said: z.object({ text: z.string() }) },
});

const feature: Feature = {
  name: 'rooms',
  channels: [
    defineChannel(room, {
      join: (_context, viewer, { owner }) =>
        Promise.resolve(owner === viewer.id ? { state: `room of ${viewer.email}` } : null),
    }),
  ],
};

async function open(t: TestLifetime) {
  const context = await openTestContext(t);
  const service = await createApp(context, [feature], fakeAuthenticator);
  context.beforeClose(() => service.stop());
  const address = await service.listen(0, '127.0.0.1');
  const url = `${address.replace('http', 'ws')}/socket`;
  const say = (owner: number, text: string) => publish(context.db, room, { owner }, 'said', { text });
  return { context, service, url, say };
}

function connect(t: TestLifetime, url: string, token: string): Socket {
  const socket = new Socket(url, {
    transport: WebSocket as unknown as new (endpoint: string) => object,
    params: { token },
    reconnectAfterMs: () => 20,
    rejoinAfterMs: () => 20,
  });
  socket.connect();
  t.after(() => new Promise<void>((resolve) => socket.disconnect(() => resolve())));
  return socket;
}

const joined = (one: Channel) =>
  new Promise<{ status: string; response: Record<string, unknown> }>((resolve) => {
    one
      .join()
      .receive('ok', (response) => resolve({ status: 'ok', response }))
      .receive('error', (response) => resolve({ status: 'error', response }));
  });

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

test('the public client joins, is answered with the present state and hears what is published', async (t) => {
  const { url, say } = await open(t);
  const one = connect(t, url, '7').channel('rooms:7');
  const heard: string[] = [];
  one.on('said', ({ text }: { text: string }) => void heard.push(text));
  assert.deepEqual(await joined(one), { status: 'ok', response: { state: 'room of user7@example.org' } });
  await say(7, 'one');
  await say(8, 'not for us');
  await say(7, 'ü'.repeat(9000));
  await say(7, 'three');
  await until(() => heard.length === 3);
  assert.deepEqual(heard, ['one', 'ü'.repeat(9000), 'three']);
});

test('what is published in a transaction is heard only if it commits', async (t) => {
  const { context, url, say } = await open(t);
  const one = connect(t, url, '7').channel('rooms:7');
  const heard: string[] = [];
  one.on('said', ({ text }: { text: string }) => void heard.push(text));
  await joined(one);
  const rolledBack = context.db.transaction().execute(async (tx) => {
    await publish(tx, room, { owner: 7 }, 'said', { text: 'never' });
    throw new Error('no');
  });
  await assert.rejects(rolledBack);
  await say(7, 'committed');
  await until(() => heard.length > 0);
  assert.deepEqual(heard, ['committed']);
});

test("somebody else's topic, and one that does not exist, are not found", async (t) => {
  const { url } = await open(t);
  const socket = connect(t, url, '7');
  for (const topic of ['rooms:8', 'rooms:x', 'nothing:7']) {
    const one = socket.channel(topic);
    assert.deepEqual(await joined(one), { status: 'error', response: { reason: 'not_found' } });
    one.leave();
  }
});

test('after leaving nothing more is heard', async (t) => {
  const { url, say } = await open(t);
  const socket = connect(t, url, '7');
  const one = socket.channel('rooms:7');
  let count = 0;
  one.on('said', () => void (count += 1));
  await joined(one);
  await new Promise((resolve) => one.leave().receive('ok', resolve));
  assert.equal(one.state, 'closed');
  await say(7, 'to nobody');
  const again = socket.channel('rooms:7');
  await joined(again);
  const heard = new Promise((resolve) => again.on('said', resolve));
  await say(7, 'to the second');
  await heard;
  assert.equal(count, 0);
});

test('the client comes back by itself when its connection breaks, and hears on', async (t) => {
  const { url, say } = await open(t);
  const socket = connect(t, url, '7');
  const one = socket.channel('rooms:7');
  const heard: string[] = [];
  one.on('said', ({ text }: { text: string }) => void heard.push(text));
  await joined(one);
  const { conn } = socket as unknown as { conn: WebSocket };
  conn.close(4000);
  await until(() => one.state !== 'joined');
  await until(() => one.state === 'joined');
  await say(7, 'welcome back');
  await until(() => heard.length > 0);
  assert.deepEqual(heard, ['welcome back']);
});

test('when messages may have been missed, every topic is joined again', async (t) => {
  const { context, url, say } = await open(t);
  const one = connect(t, url, '7').channel('rooms:7');
  await joined(one);
  let errors = 0;
  one.onError(() => void (errors += 1));
  const { rows } = await context.db
    .selectFrom('pg_stat_activity' as never)
    .select('pid' as never)
    .where('query' as never, 'like', 'listen%' as never)
    .where('datname' as never, '=', context.db.fn('current_database') as never)
    .execute()
    .then((found) => ({ rows: found as { pid: number }[] }));
  assert.ok(rows.length > 0);
  const { sql } = await import('kysely');
  for (const { pid } of rows) await sql`select pg_terminate_backend(${pid})`.execute(context.db);
  await until(() => errors > 0);
  await until(() => one.state === 'joined');
  const heard = new Promise((resolve) => one.on('said', resolve));
  await say(7, 'again');
  await heard;
});

/** A client that says exactly what it is told, where the public one is too polite. */
async function raw(t: TestLifetime, url: string, query: string, headers: Record<string, string> = {}) {
  const client = new WsClient(`${url}/websocket?${query}`, { headers });
  t.after(() => client.terminate());
  const frames: unknown[][] = [];
  client.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as unknown[]));
  const closed = new Promise<number>((resolve) => client.on('close', resolve));
  const refused = new Promise<number>((resolve) =>
    client.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0)),
  );
  client.on('error', () => undefined);
  const status = await Promise.race([
    refused,
    new Promise<number>((resolve) => client.on('open', () => resolve(101))),
  ]);
  const next = async () => {
    await until(() => frames.length > 0);
    return frames.shift();
  };
  return {
    status,
    closed,
    frames,
    next,
    send: (frame: unknown) => client.send(JSON.stringify(frame)),
    client,
  };
}

test('a second join of a topic closes the first, and late messages of the first are ignored', async (t) => {
  const { url } = await open(t);
  const client = await raw(t, url, 'vsn=2.0.0&token=7');
  client.send(['1', '1', 'rooms:7', 'phx_join', {}]);
  assert.equal((await client.next())?.[3], 'phx_reply');
  client.send(['2', '2', 'rooms:7', 'phx_join', {}]);
  assert.deepEqual(await client.next(), ['1', '1', 'rooms:7', 'phx_close', {}]);
  assert.deepEqual((await client.next())?.slice(0, 4), ['2', '2', 'rooms:7', 'phx_reply']);
  client.send(['1', '3', 'rooms:7', 'phx_leave', {}]);
  client.send([null, '4', 'phoenix', 'heartbeat', {}]);
  const ok = { status: 'ok', response: {} };
  assert.deepEqual(await client.next(), [null, '4', 'phoenix', 'phx_reply', ok]);
  client.send(['2', '5', 'rooms:7', 'shout', {}]);
  const unknown = { status: 'error', response: { reason: 'unknown event' } };
  assert.deepEqual(await client.next(), ['2', '5', 'rooms:7', 'phx_reply', unknown]);
  client.send(['2', '6', 'rooms:9', 'shout', {}]);
  const unmatched = { status: 'error', response: { reason: 'unmatched topic' } };
  assert.deepEqual(await client.next(), ['2', '6', 'rooms:9', 'phx_reply', unmatched]);
});

test('who is nobody, speaks another version, asks elsewhere or comes from another site is refused', async (t) => {
  const { url } = await open(t);
  const cookie = { cookie: 'user=7' };
  const own = url.replace('ws', 'http').replace('/socket', '');
  assert.equal((await raw(t, url, 'vsn=2.0.0')).status, 401);
  assert.equal((await raw(t, url, 'vsn=1.0.0&token=7')).status, 400);
  assert.equal((await raw(t, `${url}/other`, 'vsn=2.0.0&token=7')).status, 404);
  assert.equal((await raw(t, url, 'vsn=2.0.0', { ...cookie, origin: 'https://evil.example' })).status, 403);
  assert.equal((await raw(t, url, 'vsn=2.0.0', { ...cookie, origin: 'null' })).status, 403);
  assert.equal((await raw(t, url, 'vsn=2.0.0', { ...cookie, origin: own })).status, 101);
  assert.equal((await raw(t, url, 'vsn=2.0.0', cookie)).status, 101);
});

test('what is no message, too long, or too much ends the socket', async (t) => {
  const { url } = await open(t);
  const broken = await raw(t, url, 'vsn=2.0.0&token=7');
  broken.send({ topic: 'rooms:7' });
  assert.equal(await broken.closed, 1007);
  const long = await raw(t, url, 'vsn=2.0.0&token=7');
  long.send(['1', '1', 'rooms:7', 'phx_join', { text: 'x'.repeat(66_000) }]);
  assert.equal(await long.closed, 1009);
  const busy = await raw(t, url, 'vsn=2.0.0&token=7');
  for (let i = 0; i <= maxMessages; i++) busy.send([null, `${i}`, 'phoenix', 'heartbeat', {}]);
  assert.equal(await busy.closed, 1008);
});

test('sockets of a user who may not come in any more are closed, and only theirs', async (t) => {
  const { context, url } = await open(t);
  const mine = await raw(t, url, 'vsn=2.0.0&token=7');
  const browser = await raw(t, url, 'vsn=2.0.0', { cookie: 'user=8' });
  const other = await raw(t, url, 'vsn=2.0.0&token=8');
  await closeSockets(context.db, { user_id: 7 });
  assert.equal(await mine.closed, 1000);
  await closeSockets(context.db, { login_session_id: 'login-8' });
  assert.equal(await browser.closed, 1000);
  other.send([null, '1', 'phoenix', 'heartbeat', {}]);
  await other.next();
});

test('a stopping service says so to its sockets, so that they come back', async (t) => {
  const { service, url } = await open(t);
  const client = await raw(t, url, 'vsn=2.0.0&token=7');
  await service.stop();
  assert.equal(await client.closed, 1001);
});
