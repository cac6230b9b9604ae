import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from '../clock.ts';
import { isDatabaseUnavailable } from './connection.ts';
import {
  type Caller,
  type ConnectionLimits,
  ConnectionShares,
  type ConnectionUse,
  connectionLimitsOf,
} from './connection-shares.ts';

const limits: ConnectionLimits = {
  uses: { request: 8, socket: 2, job: 3 },
  perUser: 4,
  waitingPerUser: 3,
  waiting: 100,
  waitMs: 60_000,
};
const caller = (key: string | null, use: ConnectionUse = 'request'): Caller => ({ use, key, held: 0 });

/** Asks for a share; answers whether it was given at once, and a promise of it. */
async function ask(shares: ConnectionShares, one: Caller) {
  let isIn = false;
  const entered = shares.enter(one).then(() => {
    isIn = true;
  });
  entered.catch(() => undefined);
  await pause(0);
  return { caller: one, entered, isIn: () => isIn };
}

async function askMany(shares: ConnectionShares, count: number, key: string, use?: ConnectionUse) {
  const asked = [];
  for (let i = 0; i < count; i++) asked.push(await ask(shares, caller(key, use)));
  return asked;
}

const inside = (asked: readonly { isIn(): boolean }[]) => asked.filter((one) => one.isIn()).length;

test('one user holds so many connections, and another gets one at once', async () => {
  const shares = new ConnectionShares(limits);
  const mine = await askMany(shares, 6, 'user:7');
  assert.equal(inside(mine), 4);
  assert.equal((await ask(shares, caller('user:8'))).isIn(), true);
  shares.leave(mine[0]?.caller ?? caller(''));
  await pause(0);
  assert.equal(inside(mine), 5);
});

test('sockets and jobs hold a part of the pool, whoever asks', async () => {
  const shares = new ConnectionShares(limits);
  const sockets = [
    ...(await askMany(shares, 2, 'user:7', 'socket')),
    ...(await askMany(shares, 2, 'user:8', 'socket')),
  ];
  assert.equal(inside(sockets), 2);
  assert.equal(inside(await askMany(shares, 3, '', 'job')), 3);
  assert.equal((await ask(shares, caller(null, 'job'))).isIn(), false);
  assert.equal((await ask(shares, caller('user:7'))).isIn(), true);
});

test('of those that wait, the one comes next whose user holds the fewest', async () => {
  const shares = new ConnectionShares({ ...limits, uses: { ...limits.uses, socket: 3 } });
  const mine = await askMany(shares, 6, 'user:7', 'socket');
  const other = await ask(shares, caller('user:8', 'socket'));
  assert.deepEqual([inside(mine), other.isIn()], [3, false]);
  shares.leave(mine[0]?.caller ?? caller(''));
  await pause(0);
  assert.deepEqual([inside(mine), other.isIn()], [3, true]);
});

test('a caller that holds a connection gets the next at once, however many wait', async () => {
  const shares = new ConnectionShares(limits);
  const mine = await askMany(shares, 6, 'user:7');
  const holder = mine[0]?.caller ?? caller('');
  assert.equal((await ask(shares, holder)).isIn(), true);
  shares.leave(holder);
  shares.leave(holder);
  await pause(0);
  assert.equal(inside(mine), 5);
});

test('who would wait too long or behind too many is refused as if the database were away, and can ask again', async () => {
  const shares = new ConnectionShares({ ...limits, waitMs: 20 });
  const mine = await askMany(shares, 4, 'user:7');
  await assert.rejects(shares.enter(caller('user:7')), isDatabaseUnavailable);
  for (const one of mine) shares.leave(one.caller);
  const next = new ConnectionShares(limits);
  await askMany(next, 4 + limits.waitingPerUser, 'user:7');
  await assert.rejects(next.enter(caller('user:7')), isDatabaseUnavailable);
  assert.equal((await ask(next, caller('user:8'))).isIn(), true);
  assert.equal((await ask(shares, caller('user:7'))).isIn(), true);
});

test('whatever the size of the pool, sockets and jobs together leave some of it to requests', () => {
  for (const max of [12, 16, 20, 40]) {
    const { uses, perUser } = connectionLimitsOf(max);
    assert.ok(uses.socket + uses.job < max, `${max}`);
    assert.ok(perUser < max - uses.job, `${max}`);
  }
});
