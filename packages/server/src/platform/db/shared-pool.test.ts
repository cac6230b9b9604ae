import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channel } from '@stem-studio/contract/channel';
import { endpoint } from '@stem-studio/contract/endpoint';
import { dataOf } from '@stem-studio/contract/envelope';
import { sql } from 'kysely';
import { z } from 'zod';
import { createApp } from '../../app.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { rawClient, socketUrl } from '../../testing/socket-client.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import type { Feature } from '../feature.ts';
import { route } from '../http/route.ts';
import { defineChannel } from '../socket/channel.ts';
import type { Db } from './database.ts';

const lockNumber = 4711;
const waitForLock = async (db: Db) => {
  await sql`select pg_advisory_xact_lock_shared(${lockNumber})`.execute(db);
};
const slowTopic = channel({
  topic: 'slow:{number}',
  summary: 'A topic whose joins wait for a lock',
  socket: '/socket/websocket',
  scope: 'jobs:read',
  params: z.object({ number: z.coerce.number().int() }),
  pushes: {},
});
const slow = endpoint({
  method: 'GET',
  path: '/api/slow',
  summary: 'A request that waits for a lock',
  auth: 'api',
  scope: 'jobs:read',
  status: 200,
  reply: dataOf(z.int()),
});
const quick = endpoint({ ...slow, path: '/api/quick', summary: 'A request that waits for nothing' });

const feature: Feature = {
  name: 'slow',
  routes: (app, context) => {
    route(app, context, slow, async () => {
      await waitForLock(context.db);
      return { data: 1 };
    });
    route(app, context, quick, async () => {
      await sql`select 1`.execute(context.db);
      return { data: 1 };
    });
  },
  channels: [
    defineChannel(slowTopic, {
      join: async (context) => {
        await waitForLock(context.db);
        return {};
      },
    }),
  ],
};

/** Opens a service in which slow requests and joins wait until `release` is called. */
async function open(t: TestLifetime) {
  const context = await openTestContext(t);
  const service = await createApp(context, [feature], fakeAuthenticator);
  context.beforeClose(() => service.stop());
  const address = await service.listen(0, '127.0.0.1');
  const released = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = context.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const release = async () => {
    released.resolve();
    await holding;
  };
  context.beforeClose(release);
  const get = (path: string, user: number) =>
    fetch(`${address}${path}`, { headers: { authorization: `Bearer ${user}` } }).then(({ status }) => status);
  return { address, release, get };
}

test('keeps connections for other users while joins of one user wait in the database', async (t) => {
  const { address, release, get } = await open(t);
  const client = await rawClient(t, socketUrl(address), 'vsn=2.0.0&token=7');
  for (let i = 0; i < 50; i++) client.send([`${i}`, `${i}`, `slow:${i}`, 'phx_join', {}]);
  // The reply to the last message shows that the service has received all of them.
  client.send([null, 'last', 'phoenix', 'heartbeat', {}]);
  assert.equal((await client.next())[1], 'last');
  for (let i = 0; i < 5; i++) assert.equal(await get('/api/quick', 8), 200);
  await release();
});

test('keeps connections for another user while requests of one user wait in the database', async (t) => {
  const { release, get } = await open(t);
  const waiting = Array.from({ length: 30 }, () => get('/api/slow', 7));
  for (let i = 0; i < 5; i++) assert.equal(await get('/api/quick', 8), 200);
  await release();
  // On a slow machine some requests may time out and get 503.
  for (const status of await Promise.all(waiting)) assert.ok([200, 503].includes(status), `${status}`);
});
