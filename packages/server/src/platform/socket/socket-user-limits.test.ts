import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeCodes } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { type RawClient, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { openTestSockets } from '../../testing/test-channels.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createSocketAllowances } from './socket-allowances.ts';

const { user } = socketLimits.rates;

/** Clock whose monotonic time changes only by `advance`, so that no bucket is refilled meanwhile. */
function createFrozenClock(): Clock & { advance(seconds: number): void } {
  let ms = 1000;
  return {
    now: () => systemClock.now(),
    monotonicMs: () => ms,
    advance(seconds) {
      ms += seconds * 1000;
    },
  };
}

async function open(t: TestLifetime) {
  const clock = createFrozenClock();
  const logLines: string[] = [];
  const opened = await openTestSockets(t, undefined, { clock, logLines });
  const url = socketUrl(opened.address);
  const socketOf = (userId: number) => rawClient(t, url, `vsn=2.0.0&token=${userId}`);
  const refusals = () => logLines.filter((line) => line.includes('beyond their limits'));
  return { ...opened, clock, socketOf, refusals };
}

/** Joins topics on a socket at once. Returns the reasons of rejections, and `ok` for successful joins. */
async function joinAll(client: RawClient, topics: readonly string[]): Promise<string[]> {
  const before = client.frames.length;
  for (const [i, topic] of topics.entries()) client.send([`${i}`, `${i}`, topic, 'phx_join', {}]);
  await until(() => client.frames.length >= before + topics.length);
  return client.frames.splice(before).map((frame) => {
    const payload = frame[4] as { status: string; response: { reason?: string } };
    return payload.response.reason ?? payload.status;
  });
}

const shelves = (userId: number, from: number, count: number) =>
  Array.from({ length: count }, (_unused, i) => `shelves:${userId}:${from + i}`);

test('limits the joins over all sockets of a user, without affecting other users', async (t) => {
  const { socketOf, refusals, clock } = await open(t);
  const { burst, perSecond } = user.joins;
  const refused = `at most ${burst} joins of a user at once and ${perSecond} a second after that: try again later`;
  let asked = 0;
  while (asked < burst) {
    const client = await socketOf(7);
    const count = Math.min(socketLimits.joins, burst - asked);
    assert.deepEqual(new Set(await joinAll(client, shelves(7, asked, count))), new Set(['ok']));
    asked += count;
  }
  const further = await socketOf(7);
  const answers = await joinAll(further, shelves(7, asked, 60));
  assert.deepEqual(new Set(answers), new Set([refused]));
  const other = await socketOf(8);
  assert.deepEqual(await joinAll(other, ['tests:8']), ['ok']);

  assert.equal(refusals().length, 1);
  // Later joins are possible again, and the rejections in between are logged in one line.
  clock.advance(1);
  assert.equal(
    (await joinAll(further, shelves(7, asked, 60))).filter((reason) => reason === 'ok').length,
    10,
  );
  assert.equal(refusals().length, 1);
  clock.advance(59);
  for (let i = 0; i < burst; i += socketLimits.joins)
    await joinAll(await socketOf(7), shelves(7, asked + i, socketLimits.joins));
  assert.deepEqual(await joinAll(further, ['tests:7']), [refused]);
  assert.equal(refusals().length, 2);
  assert.match(refusals()[1] ?? '', /"user_id":7,"refused":110/);
});

test('does not limit ten windows with ten topics each, nor their reconnection', async (t) => {
  const { socketOf, refusals } = await open(t);
  for (let round = 0; round < 2; round++) {
    const tabs = await Promise.all(Array.from({ length: 10 }, () => socketOf(7)));
    const answers = await Promise.all(tabs.map((tab, i) => joinAll(tab, shelves(7, i * 10, 10))));
    assert.deepEqual(new Set(answers.flat()), new Set(['ok']));
    for (const tab of tabs) tab.client.close();
    await Promise.all(tabs.map(({ closed }) => closed));
  }
  assert.deepEqual(refusals(), []);
});

test('rejects one socket too many of a user with 429, without affecting other users', async (t) => {
  const { socketOf, refusals } = await open(t);
  const tabs = await Promise.all(Array.from({ length: socketLimits.perUser }, () => socketOf(7)));
  assert.deepEqual(new Set(tabs.map(({ status }) => status)), new Set([101]));
  assert.equal((await socketOf(7)).status, 429);
  assert.equal((await socketOf(8)).status, 101);
  assert.equal(refusals().length, 1);
});

test('limits the messages over all sockets of a user, and closes the socket that exceeds the limit', async (t) => {
  const { socketOf } = await open(t);
  const { burst, perSecond } = user.messages;
  const count = Math.ceil(burst / socketLimits.messages) + 1;
  const sockets = await Promise.all(Array.from({ length: count }, () => socketOf(7)));
  const other = await socketOf(8);
  for (const { client } of sockets)
    for (let i = 0; i < socketLimits.messages; i++) client.send('[null,"1","phoenix","heartbeat",{}]');
  const closed = await Promise.race(sockets.map((one) => one.closed));
  assert.deepEqual(closed, {
    code: closeCodes.policy,
    reason: `at most ${burst} messages of a user at once and ${perSecond} a second`,
  });
  assert.deepEqual(await joinAll(other, ['tests:8']), ['ok']);
});

test('rejects an address with too many unauthenticated upgrades before any lookup', async (t) => {
  const { context } = await open(t);
  const { burst } = socketLimits.rates.address.upgrades;
  const allowances = createSocketAllowances(context, socketLimits.perUser);
  const begin = (address: string, isKnown: boolean) => {
    const begun = allowances.beginUpgrade(address);
    if ('end' in begun) begun.end(isKnown);
    return 'end' in begun;
  };
  // Authenticated users are not charged to their address.
  for (let i = 0; i < 2 * burst; i++) assert.equal(begin('203.0.113.7', true), true);
  for (let i = 0; i < burst; i++) assert.equal(begin('203.0.113.7', false), true);
  assert.equal(begin('203.0.113.7', false), false);
  assert.equal(begin('203.0.113.8', false), true);
  const pending = Array.from({ length: socketLimits.pendingPerAddress }, () =>
    allowances.beginUpgrade('203.0.113.9'),
  );
  assert.ok(pending.every((one) => 'end' in one));
  assert.deepEqual(allowances.beginUpgrade('203.0.113.9'), { retryAfterSeconds: 1 });
});
