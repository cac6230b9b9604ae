import assert from 'node:assert/strict';
import { test } from 'node:test';
import { socketLimits } from '@stem-studio/contract/limits';
import { cutListeners } from '../../testing/cut-listeners.ts';
import { connectClient, joined, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { openTestSockets, testChannel } from '../../testing/test-channels.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { closeSockets } from './close-sockets.ts';
import { publish } from './publish.ts';

async function open(t: TestLifetime) {
  const opened = await openTestSockets(t);
  return { ...opened, url: socketUrl(opened.address) };
}

const connect = (t: TestLifetime, url: string, token: string) => connectClient(t, url, { params: { token } });

test('joins with the public client, replies with the current state and pushes published events', async (t) => {
  const { url, say } = await open(t);
  const one = connect(t, url, '7').channel('tests:7');
  const received: string[] = [];
  one.on('message', ({ text }: { text: string }) => void received.push(text));
  assert.deepEqual(await joined(one), { status: 'ok', response: { state: 'channel of user7@example.org' } });
  await say(7, 'one');
  await say(8, 'not for us');
  await say(7, 'ü'.repeat(9000));
  await say(7, 'three');
  await until(() => received.length === 3);
  assert.deepEqual(received, ['one', 'ü'.repeat(9000), 'three']);
});

test('delivers an event that is published in a transaction only after the commit', async (t) => {
  const { context, url, say } = await open(t);
  const one = connect(t, url, '7').channel('tests:7');
  const received: string[] = [];
  one.on('message', ({ text }: { text: string }) => void received.push(text));
  await joined(one);
  const rolledBack = context.db.transaction().execute(async (tx) => {
    await publish(tx, testChannel, { owner: 7 }, 'message', { text: 'never' });
    throw new Error('no');
  });
  await assert.rejects(rolledBack);
  await say(7, 'committed');
  await until(() => received.length > 0);
  assert.deepEqual(received, ['committed']);
});

test('replies "not found" for topics of other users and for unknown topics', async (t) => {
  const { url } = await open(t);
  const socket = connect(t, url, '7');
  for (const topic of ['tests:8', 'tests:x', 'nothing:7']) {
    const one = socket.channel(topic);
    assert.deepEqual(await joined(one), { status: 'error', response: { reason: 'not_found' } });
  }
});

test('pushes nothing after a leave', async (t) => {
  const { url, say } = await open(t);
  const socket = connect(t, url, '7');
  const one = socket.channel('tests:7');
  let count = 0;
  one.on('message', () => void (count += 1));
  await joined(one);
  await new Promise((resolve) => one.leave().receive('ok', resolve));
  assert.equal(one.state, 'closed');
  await say(7, 'to nobody');
  const again = socket.channel('tests:7');
  await joined(again);
  const received = new Promise((resolve) => again.on('message', resolve));
  await say(7, 'to the second');
  await received;
  assert.equal(count, 0);
});

test('reconnects automatically and continues to push events', async (t) => {
  const { url, say } = await open(t);
  const socket = connect(t, url, '7');
  const one = socket.channel('tests:7');
  const received: string[] = [];
  one.on('message', ({ text }: { text: string }) => void received.push(text));
  await joined(one);
  const { conn } = socket as unknown as { conn: WebSocket };
  conn.close(4000);
  await until(() => one.state !== 'joined');
  await until(() => one.state === 'joined');
  await say(7, 'welcome back');
  await until(() => received.length > 0);
  assert.deepEqual(received, ['welcome back']);
});

test('makes clients rejoin every topic after a gap in the messages', async (t) => {
  const { context, url, say } = await open(t);
  const one = connect(t, url, '7').channel('tests:7');
  await joined(one);
  let errors = 0;
  one.onError(() => void (errors += 1));
  await cutListeners(context.db);
  await until(() => errors > 0);
  await until(() => one.state === 'joined');
  const received = new Promise((resolve) => one.on('message', resolve));
  await say(7, 'again');
  await received;
});

test('closes the first join on a second join of a topic, and ignores late messages of the first', async (t) => {
  const { url } = await open(t);
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  client.send(['1', '1', 'tests:7', 'phx_join', {}]);
  assert.equal((await client.next())[3], 'phx_reply');
  client.send(['2', '2', 'tests:7', 'phx_join', {}]);
  assert.deepEqual(await client.next(), ['1', '1', 'tests:7', 'phx_close', {}]);
  assert.deepEqual((await client.next()).slice(0, 4), ['2', '2', 'tests:7', 'phx_reply']);
  client.send(['1', '3', 'tests:7', 'phx_leave', {}]);
  client.send([null, '4', 'phoenix', 'heartbeat', {}]);
  const ok = { status: 'ok', response: {} };
  assert.deepEqual(await client.next(), [null, '4', 'phoenix', 'phx_reply', ok]);
  client.send(['2', '5', 'tests:7', 'shout', {}]);
  const unknown = { status: 'error', response: { reason: 'unknown event' } };
  assert.deepEqual(await client.next(), ['2', '5', 'tests:7', 'phx_reply', unknown]);
  client.send(['2', '6', 'tests:9', 'shout', {}]);
  const unmatched = { status: 'error', response: { reason: 'unmatched topic' } };
  assert.deepEqual(await client.next(), ['2', '6', 'tests:9', 'phx_reply', unmatched]);
});

test('rejects missing logins, other versions, other paths and other origins', async (t) => {
  const { url } = await open(t);
  const cookie = { cookie: 'user=7' };
  const own = url.replace('ws', 'http').replace('/socket', '');
  assert.equal((await rawClient(t, url, 'vsn=2.0.0')).status, 401);
  assert.equal((await rawClient(t, url, 'vsn=1.0.0&token=7')).status, 400);
  assert.equal((await rawClient(t, `${url}/other`, 'vsn=2.0.0&token=7')).status, 404);
  assert.equal(
    (await rawClient(t, url, 'vsn=2.0.0', { ...cookie, origin: 'https://evil.example' })).status,
    403,
  );
  assert.equal((await rawClient(t, url, 'vsn=2.0.0', { ...cookie, origin: 'null' })).status, 403);
  assert.equal((await rawClient(t, url, 'vsn=2.0.0', { ...cookie, origin: own })).status, 101);
  assert.equal((await rawClient(t, url, 'vsn=2.0.0', cookie)).status, 101);
});

test('closes a socket after invalid, too long or too many messages', async (t) => {
  const { url } = await open(t);
  const broken = await rawClient(t, url, 'vsn=2.0.0&token=7');
  broken.send({ topic: 'tests:7' });
  assert.equal((await broken.closed).code, 1007);
  const long = await rawClient(t, url, 'vsn=2.0.0&token=7');
  long.send(['1', '1', 'tests:7', 'phx_join', { text: 'x'.repeat(66_000) }]);
  assert.equal((await long.closed).code, 1009);
  const busy = await rawClient(t, url, 'vsn=2.0.0&token=7');
  for (let i = 0; i <= socketLimits.messages; i++) busy.send([null, `${i}`, 'phoenix', 'heartbeat', {}]);
  assert.equal((await busy.closed).code, 1008);
});

test('closes the sockets of a user or a login session, and only those', async (t) => {
  const { context, url } = await open(t);
  const mine = await rawClient(t, url, 'vsn=2.0.0&token=7');
  const browser = await rawClient(t, url, 'vsn=2.0.0', { cookie: 'user=8' });
  const other = await rawClient(t, url, 'vsn=2.0.0&token=8');
  await closeSockets(context.db, { user_id: 7 });
  assert.equal((await mine.closed).code, 1000);
  await closeSockets(context.db, { login_session_id: 'login-8' });
  assert.equal((await browser.closed).code, 1000);
  other.send([null, '1', 'phoenix', 'heartbeat', {}]);
  await other.next();
});

test('closes its sockets with "going away" when the service stops', async (t) => {
  const { stop, url } = await open(t);
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  await stop();
  assert.equal((await client.closed).code, 1001);
});
