import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelFrame, closeCodes } from '@stem-studio/contract/frame';
import * as fc from 'fast-check';
import { type RawClient, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { openTestSockets } from '../../testing/test-channels.ts';
import type { TestLifetime } from '../../testing/test-context.ts';

/** Number of messages on each socket, and of connections with invalid WebSocket data. */
const messages = 10_000;
const wires = 150;
/** Concurrent sockets, number of users, and messages per socket, below the limit of a socket. */
const width = 16;
const users = 200;
const perSocket = 40;

type Message = string | Uint8Array;

const oneOf = (...some: string[]) => fc.constantFrom(...some);
const ref = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, '1', '2', '3') },
  { weight: 1, arbitrary: fc.string({ maxLength: 70 }) },
);
const topic = fc.oneof(
  {
    weight: 6,
    arbitrary: oneOf('tests:OWNER', 'live_tests:OWNER', 'shelves:OWNER:3', 'tests:1000000', 'phoenix'),
  },
  { weight: 2, arbitrary: oneOf('tests:', ':', 'tests:0x7', 'system:sockets', 'tests:OWNER\0', '__proto__') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 260 }) },
);
const event = fc.oneof(
  { weight: 6, arbitrary: oneOf('phx_join', 'phx_leave', 'heartbeat', 'say', 'draw', 'refuse', 'nothing') },
  {
    weight: 2,
    arbitrary: oneOf('phx_reply', 'phx_close', 'phx_error', 'message', 'constructor', '__proto__'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 130 }) },
);
const payload = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.record({ text: fc.string({ unit: 'binary', maxLength: 25 }) }) },
  { weight: 2, arbitrary: fc.dictionary(fc.string(), fc.jsonValue()) },
);
const text = fc.tuple(ref, ref, topic, event, payload).map((parts) => JSON.stringify(parts));
const binary = fc
  .tuple(ref, ref, topic, event, fc.uint8Array({ maxLength: 40 }))
  .map(([joinRef, own, ...[subject, name, bytes]]) => {
    const fields = [joinRef ?? '', own ?? '', subject, name].map((field) =>
      Buffer.from(field).subarray(0, 255),
    );
    return Buffer.concat([Buffer.from([0, ...fields.map(({ length }) => length)]), ...fields, bytes]);
  });
/** A message with some of its characters or bytes changed, removed or duplicated. */
const spoiled = fc
  .tuple(fc.oneof(text, binary), fc.nat(), fc.nat(255), fc.nat(3))
  .map(([message, at, value, how]): Message => {
    const bytes = Buffer.from(message);
    const offset = at % Math.max(1, bytes.length);
    const spoilt =
      how === 0
        ? bytes.subarray(0, offset)
        : how === 1
          ? Buffer.concat([bytes.subarray(0, offset), bytes])
          : Buffer.concat([
              bytes.subarray(0, offset),
              Buffer.from([value]),
              bytes.subarray(offset + how - 2),
            ]);
    return typeof message === 'string' ? spoilt.toString('utf8') : spoilt;
  });
const anything = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }),
  fc.constant('['.repeat(30_000)),
  fc.constant(`[null,null,"tests:OWNER","say",${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}]`),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 4, arbitrary: binary },
  { weight: 2, arbitrary: spoiled },
  { weight: 1, arbitrary: anything },
);

/**
 * Returns whether a text is a message by the contract. Bytes are judged only by the service: they are pushes, or close
 * the socket.
 */
function isMessage(given: string): boolean {
  try {
    return channelFrame.safeParse(JSON.parse(given)).success;
  } catch {
    return false;
  }
}

async function openFuzzed(t: TestLifetime, path: '/socket' | '/live') {
  const logLines: string[] = [];
  const { address } = await openTestSockets(t, undefined, { logLines });
  let count = 0;
  const lifetime = { after: () => undefined };
  const enter = () => {
    const owner = (count++ % users) + 1;
    const headers = { cookie: `user=${owner}`, origin: address };
    const opened = rawClient(lifetime, socketUrl(address, path), 'vsn=2.0.0&_csrf_token=yes', headers);
    return opened.then((client) => ({ client, owner: String(owner) }));
  };
  return { enter, logLines };
}

/** Checks that all received messages follow the protocol. Returns the close code, or 0 if the socket is still open. */
async function outcomeOf(client: RawClient): Promise<number> {
  const isAlive = () => client.frames.some(([, own]) => own === 'the end');
  client.send([null, 'the end', 'phoenix', 'heartbeat', {}]);
  let code = 0;
  void client.closed.then((closed) => (code = closed.code));
  await until(() => code !== 0 || isAlive());
  for (const frame of client.frames) channelFrame.parse(frame);
  if (code === 0) client.client.terminate();
  return code;
}

async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const next = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: width }, next));
}

/** Distributes the messages over sockets. Each list ends with the first invalid text, which closes its socket. */
function intoSockets(all: readonly Message[]): Message[][] {
  const sockets: Message[][] = [[]];
  for (const one of all) {
    const last = sockets.at(-1) ?? [];
    last.push(one);
    if (last.length >= perSocket || (typeof one === 'string' && !isMessage(one))) sockets.push([]);
  }
  return sockets;
}

for (const path of ['/socket', '/live'] as const) {
  test(`survives random messages to ${path}/websocket and replies according to the protocol`, async (t) => {
    const { enter, logLines } = await openFuzzed(t, path);
    const sent = fc.sample(message, { numRuns: messages, seed: path.length });
    await inBatches(intoSockets(sent), async (some) => {
      const { client, owner } = await enter();
      assert.equal(client.status, 101);
      const given = some.map((one) => (typeof one === 'string' ? one.replaceAll('OWNER', owner) : one));
      for (const one of given) client.client.send(one);
      const code = await outcomeOf(client);
      const texts = given.filter((one) => typeof one === 'string');
      if (!texts.every(isMessage)) assert.equal(code, closeCodes.invalidData);
      else if (texts.length === given.length) assert.equal(code, 0);
      else assert.ok(code === 0 || code === closeCodes.invalidData, String(code));
    });
    const garbage = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 200 }), { numRuns: wires, seed: 1 });
    await inBatches(garbage, async (bytes) => {
      const { client } = await enter();
      const wire = (client.client as unknown as { _socket: { end(data: Uint8Array): void } })._socket;
      wire.end(bytes);
      await client.closed;
    });
    const { client } = await enter();
    assert.equal(await outcomeOf(client), 0);
    const levels = logLines.map((line) => (JSON.parse(line) as { level: number }).level);
    assert.ok(
      levels.length > 0 && levels.every((level) => level < 50),
      logLines.find((line) => /"level":[56]0/.test(line)),
    );
  });
}
