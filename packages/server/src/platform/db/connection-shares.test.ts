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

/** Requests a share. Returns a promise of it and whether it was granted. */
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

test('limits the connections of one user, and grants another user one at once', async () => {
  const shares = new ConnectionShares(limits);
  const mine = await askMany(shares, 6, 'user:7');
  assert.equal(inside(mine), 4);
  assert.equal((await ask(shares, caller('user:8'))).isIn(), true);
  shares.leave(mine[0]?.caller ?? caller(''));
  await pause(0);
  assert.equal(inside(mine), 5);
});

test('limits sockets and jobs to a part of the pool, for all users together', async () => {
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

test('serves the waiting caller whose user holds the fewest connections', async () => {
  const shares = new ConnectionShares({ ...limits, uses: { ...limits.uses, socket: 3 } });
  const mine = await askMany(shares, 6, 'user:7', 'socket');
  const other = await ask(shares, caller('user:8', 'socket'));
  assert.deepEqual([inside(mine), other.isIn()], [3, false]);
  shares.leave(mine[0]?.caller ?? caller(''));
  await pause(0);
  assert.deepEqual([inside(mine), other.isIn()], [3, true]);
});

test('grants a caller that holds a connection the next one at once', async () => {
  const shares = new ConnectionShares(limits);
  const mine = await askMany(shares, 6, 'user:7');
  const holder = mine[0]?.caller ?? caller('');
  assert.equal((await ask(shares, holder)).isIn(), true);
  shares.leave(holder);
  shares.leave(holder);
  await pause(0);
  assert.equal(inside(mine), 5);
});

test('rejects a caller that waits too long or behind too many as if the database were unavailable', async () => {
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

test('leaves connections for requests beside sockets and jobs, for every pool size', () => {
  for (const max of [12, 16, 20, 40]) {
    const { uses, perUser } = connectionLimitsOf(max);
    assert.ok(uses.socket + uses.job < max, `${max}`);
    assert.ok(perUser < max - uses.job, `${max}`);
  }
});
