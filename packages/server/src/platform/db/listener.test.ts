import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestContext, type TestContext, type TestLifetime } from '../../testing/test-context.ts';
import { pause } from '../clock.ts';
import { createLog } from '../log.ts';
import { createListener } from './listener.ts';

/** Opens a proxy to the database that can hang silently, like an interrupted network. */
async function openWire(t: TestLifetime, { connection }: TestContext) {
  const { host = '', port = 5432, connectionString } = connection;
  const url = connectionString === undefined ? null : new URL(connectionString);
  const dialDatabase = () =>
    url
      ? dial(Number(url.port || 5432), url.hostname)
      : host.startsWith('/')
        ? dial(`${host}/.s.PGSQL.${port}`)
        : dial(port, host);
  const ends = new Set<Socket>();
  const wire = createServer((near) => {
    const far = dialDatabase();
    for (const end of [near, far]) {
      ends.add(end);
      end.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const end of ends) end.destroy();
    wire.close();
  });
  const { port: wirePort } = wire.address() as AddressInfo;
  const through = url
    ? { connectionString: Object.assign(new URL(url), { host: `127.0.0.1:${wirePort}` }).href }
    : { ...connection, host: '127.0.0.1', port: wirePort };
  return {
    through,
    /** Stops the traffic without closing the connections. */
    cut: () => {
      for (const end of ends) {
        end.unpipe();
        end.pause();
      }
    },
  };
}

test('replaces a connection that hangs, and notifies the subscribers', async (t) => {
  const context = await openTestContext(t);
  const wire = await openWire(t, context);
  // Long enough that a working database replies in time on a busy machine.
  const listener = createListener(wire.through, createLog('silent'), { heartbeatMs: 50, answerMs: 1500 });
  await listener.start();
  const received: string[] = [];
  const gaps: null[] = [];
  await listener.listen(
    'a_test',
    (payload) => void received.push(payload),
    () => void gaps.push(null),
  );
  const say = (text: string) => sql`select pg_notify('a_test', ${text})`.execute(context.db);
  await say('before');
  while (received.length < 1) await pause(5);
  const gapsBefore = gaps.length;
  wire.cut();
  await say('into the void');
  while (gaps.length === gapsBefore) await pause(5);
  await say('after');
  while (received.length < 2) await pause(5);
  assert.deepEqual(received, ['before', 'after']);
  await listener.stop();
});

test('leaves no connection when it is stopped while reconnecting', async (t) => {
  const context = await openTestContext(t);
  const countListeners = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
      where datname = current_database() and query = 'listen "a_test"'`.execute(context.db);
    return rows[0]?.count;
  };
  for (const waitMs of [0, 20, 55, 60, 65, 80]) {
    const listener = createListener(context.connection, createLog('silent'));
    await listener.start();
    await listener.listen(
      'a_test',
      () => undefined,
      () => undefined,
    );
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen "a_test"'`.execute(context.db);
    await pause(waitMs);
    await listener.stop();
    while ((await countListeners()) !== 0) await pause(5);
  }
});
