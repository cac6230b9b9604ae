import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { closeCodes } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { eventually } from '../../testing/eventually.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { openTestSockets } from '../../testing/test-channels.ts';
import { openTestContext, type TestLifetime, type TestOverrides } from '../../testing/test-context.ts';
import { startSocketServer } from './socket-server.ts';

async function open(t: TestLifetime, overrides?: TestOverrides) {
  const opened = await openTestSockets(t, undefined, overrides);
  return { ...opened, url: socketUrl(opened.address) };
}

/** Opens sockets without a service, with other limits than the contract's. */
async function openWith(t: TestLifetime, limits: { idleSeconds?: number; perUser?: number }) {
  const context = await openTestContext(t);
  const server = createServer();
  const sockets = startSocketServer({
    context,
    server,
    authenticator: fakeAuthenticator,
    handlers: [],
    limits,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.beforeClose(async () => {
    await sockets.stop();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/socket` };
}

const heartbeat = [null, '1', 'phoenix', 'heartbeat', {}];

test('limits the topics of a socket, and allows another one after a leave', async (t) => {
  const { url } = await open(t);
  const join = async (topic: string, ref: string) => {
    client.send([ref, ref, topic, 'phx_join', {}]);
    const [, , , , payload] = await client.next();
    return payload;
  };
  const ok = { status: 'ok', response: {} };
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  for (let i = 0; i < socketLimits.joins; i++) assert.deepEqual(await join(`shelves:7:${i}`, `${i}`), ok);
  const tooMany = { status: 'error', response: { reason: `at most ${socketLimits.joins} topics` } };
  assert.deepEqual(await join('shelves:7:1000', '1000'), tooMany);
  client.send(['0', '1001', 'shelves:7:0', 'phx_leave', {}]);
  await until(() => client.frames.length === 2);
  client.frames.splice(0);
  // A rejected join does not count.
  assert.deepEqual(await join('tests:8', '1002'), { status: 'error', response: { reason: 'not_found' } });
  assert.deepEqual(await join('shelves:7:1000', '1003'), ok);
});

test('closes a client that sends too many pings', async (t) => {
  const { url } = await open(t);
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  const pinging = (async () => {
    while (client.client.readyState === client.client.OPEN) {
      const answered = new Promise((resolve) => client.client.once('pong', resolve));
      // Many at a time, so that even a slow machine exceeds the limit of the window.
      for (let i = 0; i < 50; i++) client.client.ping();
      await Promise.race([answered, client.closed]);
    }
  })();
  const { code, reason } = await client.closed;
  assert.equal(code, closeCodes.policy);
  assert.equal(reason, `at most ${socketLimits.messages} messages in ${socketLimits.windowSeconds} s`);
  await pinging;
});

test('closes an idle socket, and keeps one with occasional messages', async (t) => {
  // Long enough that a machine which hangs for a second still receives the messages in time.
  const { url } = await openWith(t, { idleSeconds: 2 });
  const [silent, alive] = await Promise.all([
    rawClient(t, url, 'vsn=2.0.0&token=7'),
    rawClient(t, url, 'vsn=2.0.0&token=8'),
  ]);
  const beating = setInterval(() => alive.send(heartbeat), 50);
  const { code, reason } = await silent.closed;
  assert.deepEqual([code, reason], [closeCodes.goingAway, 'no message received for 2 s']);
  assert.equal(alive.client.readyState, alive.client.OPEN);
  clearInterval(beating);
});

test('limits the sockets of each user separately', async (t) => {
  const { url } = await openWith(t, { perUser: 2 });
  const first = await rawClient(t, url, 'vsn=2.0.0&token=7');
  assert.equal((await rawClient(t, url, 'vsn=2.0.0&token=7')).status, 101);
  assert.equal((await rawClient(t, url, 'vsn=2.0.0&token=7')).status, 429);
  assert.equal((await rawClient(t, url, 'vsn=2.0.0&token=8')).status, 101);
  first.client.close();
  await first.closed;
  // The service may detect the end of a socket a moment after its client.
  await eventually(
    async () => (await rawClient(t, url, 'vsn=2.0.0&token=7')).status,
    (status) => status === 101,
  );
});

test('closes a client that does not read, without affecting the others', async (t) => {
  const logLines: string[] = [];
  const { url, say } = await open(t, { logLines });
  const [slow, quick] = await Promise.all([
    rawClient(t, url, 'vsn=2.0.0&token=7'),
    rawClient(t, url, 'vsn=2.0.0&token=7'),
  ]);
  for (const client of [slow, quick]) {
    client.send(['1', '1', 'tests:7', 'phx_join', {}]);
    await client.next();
  }
  slow.client.pause();
  const text = 'x'.repeat(500_000);
  const isClosed = () => logLines.some((line) => line.includes('its client does not read'));
  let sent = 0;
  while (!isClosed()) {
    await say(7, text);
    sent += 1;
    await until(() => quick.frames.length === sent);
  }
  slow.client.resume();
  assert.deepEqual(await slow.closed, {
    code: closeCodes.tryAgainLater,
    reason: 'the client reads too slowly',
  });
  await say(7, 'still here');
  await until(() => quick.frames.length === sent + 1);
});

test('ignores messages after the socket was closed', async (t) => {
  const { url } = await open(t);
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  // Sent at once: the message after the invalid one arrives before the client sees the close.
  client.client.send('{}');
  client.send(['1', '1', 'tests:7', 'phx_join', {}]);
  assert.equal((await client.closed).code, closeCodes.invalidData);
  assert.deepEqual(client.frames, []);
});

test('limits the unanswered messages of a socket', async (t) => {
  const { url, release } = await open(t);
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  client.send(['1', '1', 'tests:7', 'phx_join', {}]);
  await client.next();
  const { unanswered } = socketLimits;
  client.send(['1', '2', 'tests:7', 'hold', {}]);
  for (let i = 0; i < unanswered; i++) client.send(['1', `${3 + i}`, 'tests:7', 'nothing', {}]);
  const [, refused, , , payload] = await client.next();
  assert.equal(refused, `${2 + unanswered}`);
  assert.deepEqual(payload, {
    status: 'error',
    response: { reason: `at most ${unanswered} unanswered messages` },
  });
  release();
  await until(() => client.frames.length === unanswered);
  client.send(['1', '1000', 'tests:7', 'say', { text: 'again' }]);
  await until(() => client.frames.length === unanswered + 1);
  assert.deepEqual(client.frames.at(-1)?.[4], { status: 'ok', response: { received: 'again' } });
});
