import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from 'phoenix';
import { connectClient, joined, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { openTestSockets, testChannel } from '../../testing/test-channels.ts';
import type { TestLifetime, TestOverrides } from '../../testing/test-context.ts';
import { closeSockets } from './close-sockets.ts';
import { publish } from './publish.ts';

async function open(t: TestLifetime, overrides?: TestOverrides) {
  const opened = await openTestSockets(t, undefined, overrides);
  const url = socketUrl(opened.address);
  const enter = async (token: string) => {
    const one = connectClient(t, url, { params: { token } }).channel('tests:7');
    await joined(one);
    return one;
  };
  return { ...opened, url, enter };
}

const ask = (one: Channel, event: string, payload: object) =>
  new Promise<{ status: string; response: unknown }>((resolve) => {
    const push = one.push(event, payload);
    for (const status of ['ok', 'error'] as const)
      push.receive(status, (response: unknown) => resolve({ status, response }));
  });

/** Returns bytes in the form that the public client sends as binary. */
const bytes = (...values: number[]) => Uint8Array.from(values).buffer;

test('replies to a message and broadcasts it to all other sockets of the topic', async (t) => {
  const { enter, say } = await open(t);
  const [mine, other] = await Promise.all([enter('7'), enter('7')]);
  const received = { mine: [] as string[], other: [] as string[] };
  mine.on('message', ({ text }: { text: string }) => void received.mine.push(text));
  other.on('message', ({ text }: { text: string }) => void received.other.push(text));
  assert.deepEqual(await ask(mine, 'say', { text: 'hello' }), {
    status: 'ok',
    response: { received: 'hello' },
  });
  await say(7, 'end');
  await until(() => received.mine.length > 0 && received.other.length > 1);
  assert.deepEqual(received, { mine: ['end'], other: ['hello', 'end'] });
  assert.deepEqual(await ask(mine, 'nothing', {}), { status: 'ok', response: {} });
});

test('rejects an invalid or refused message with an error and its reason', async (t) => {
  const { enter } = await open(t);
  const one = await enter('7');
  assert.deepEqual(await ask(one, 'say', { text: 'x'.repeat(21), more: 1 }), {
    status: 'error',
    response: {
      reason: 'text must have at most 20 characters',
      code: 'VALIDATION_ERROR',
      details: { text: ['must have at most 20 characters'], more: ['is not a known field'] },
    },
  });
  assert.deepEqual(await ask(one, 'refuse', {}), {
    status: 'error',
    response: { reason: 'not now', code: 'JOB_NOT_CANCELLABLE', details: {} },
  });
  const unknown = { status: 'error', response: { reason: 'unknown event' } };
  for (const event of ['shout', 'constructor', '__proto__', 'phx_reply', 'message'])
    assert.deepEqual(await ask(one, event, {}), unknown, event);
  assert.equal(one.state, 'joined');
});

test('ends the join with phx_error when a handler throws, and the client joins again', async (t) => {
  const { enter } = await open(t);
  const one = await enter('7');
  let errors = 0;
  one.onError(() => void (errors += 1));
  one.push('crash', {});
  await until(() => errors === 1);
  await until(() => one.state === 'joined');
  assert.deepEqual(await ask(one, 'say', { text: 'again' }), {
    status: 'ok',
    response: { received: 'again' },
  });
});

test('replies to the messages of a topic in order, without delaying other topics', async (t) => {
  const { url, release } = await open(t);
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  client.send(['1', '1', 'tests:7', 'phx_join', {}]);
  client.send(['1', '2', 'tests:7', 'hold', {}]);
  client.send(['1', '3', 'tests:7', 'nothing', {}]);
  client.send(['1', '4', 'tests:7', 'phx_leave', {}]);
  client.send(['9', '5', 'tests:8', 'phx_join', {}]);
  const shown = () => client.frames;
  await until(() => client.frames.some(([, ref]) => ref === '5'), shown);
  release();
  await until(() => client.frames.length === 6, shown);
  assert.deepEqual(
    client.frames.filter(([, , topic]) => topic === 'tests:7').map(([, ref, , event]) => [ref, event]),
    [
      ['1', 'phx_reply'],
      ['2', 'phx_reply'],
      ['3', 'phx_reply'],
      ['4', 'phx_reply'],
      ['1', 'phx_close'],
    ],
  );
  const order = client.frames.map(([, ref]) => ref);
  assert.ok(order.indexOf('5') < order.indexOf('2'));
});

test('handles messages that a client sent before it closed its socket, in order', async (t) => {
  const { url, enter, release } = await open(t);
  const other = await enter('7');
  const received: string[] = [];
  other.on('message', ({ text }: { text: string }) => void received.push(text));
  const client = await rawClient(t, url, 'vsn=2.0.0&token=7');
  client.send(['1', '1', 'tests:7', 'phx_join', {}]);
  assert.equal((await client.next())[3], 'phx_reply');
  client.send(['1', '2', 'tests:7', 'hold', {}]);
  for (const [ref, text] of ['pause a', 'pause b', 'good bye'].entries())
    client.send(['1', `${ref + 3}`, 'tests:7', 'say', { text }]);
  client.client.close();
  await client.closed;
  release();
  await until(
    () => received.length === 3,
    () => received,
  );
  assert.deepEqual(received, ['pause a', 'pause b', 'good bye']);
});

test('discards pending messages of a socket that the service has closed', async (t) => {
  const { context, url, say, release } = await open(t);
  const other = connectClient(t, url, { params: { token: '8' } }).channel('tests:8');
  await joined(other);
  const received: string[] = [];
  other.on('message', ({ text }: { text: string }) => void received.push(text));
  const client = await rawClient(t, url, 'vsn=2.0.0', { cookie: 'user=8' });
  client.send(['1', '1', 'tests:8', 'phx_join', {}]);
  assert.equal((await client.next())[3], 'phx_reply');
  client.send(['1', '2', 'tests:8', 'hold', {}]);
  client.send(['1', '3', 'tests:8', 'say', { text: 'too late' }]);
  // The reply to this later message shows that both earlier ones have arrived.
  client.send(['2', '4', 'tests:7', 'phx_join', {}]);
  assert.equal((await client.next())[1], '4');
  await closeSockets(context.db, { login_session_id: 'login-8' });
  await client.closed;
  release();
  // A message that was handled now would be broadcast before these replies.
  for (let i = 0; i < 3; i++) await ask(other, 'nothing', {});
  await say(8, 'end');
  await until(() => received.length > 0);
  assert.deepEqual(received, ['end']);
});

test('sends, replies to and broadcasts bytes as bytes', async (t) => {
  const { context, enter } = await open(t);
  const [mine, other] = await Promise.all([enter('7'), enter('7')]);
  const drawn: number[][] = [];
  other.on('drawn', (payload: ArrayBuffer) => void drawn.push([...new Uint8Array(payload)]));
  const { status, response } = await ask(mine, 'draw', bytes(1, 2, 255));
  assert.equal(status, 'ok');
  assert.deepEqual([...new Uint8Array(response as ArrayBuffer)], [255, 2, 1]);
  await publish(context.db, testChannel, { owner: 7 }, 'drawn', new Uint8Array(20_000).fill(9));
  await until(() => drawn.length === 2);
  assert.deepEqual(drawn[0], [1, 2, 255]);
  assert.equal(drawn[1]?.length, 20_000);
  // JSON instead of bytes, and bytes instead of JSON, are rejected.
  assert.equal((await ask(mine, 'draw', { text: 'x' })).status, 'error');
  assert.deepEqual(await ask(mine, 'say', bytes(1)), {
    status: 'error',
    response: {
      reason: 'payload must be JSON, not bytes',
      code: 'VALIDATION_ERROR',
      details: { payload: ['must be JSON, not bytes'] },
    },
  });
});

test('logs a push that does not match the contract, outside production', async (t) => {
  const logLines: string[] = [];
  const { context, enter } = await open(t, { logLines });
  await enter('7');
  await publish(context.db, testChannel, { owner: 7 }, 'message', { content: 'none' });
  await until(() => logLines.some((line) => line.includes('a push is not as the contract says')));
});
