import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { health, healthLive, healthReady } from '@stem-studio/contract/endpoints/health';
import { rateLimits } from '@stem-studio/contract/limits';
import { eventually } from '../../testing/eventually.ts';
import { databaseUrlOf, startServiceProcess } from '../../testing/service-process.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { openTestContext, type TestContext } from '../../testing/test-context.ts';

/** Opens a proxy to the test database that can stop replying while it still accepts connections. */
async function openSilencer(context: TestContext) {
  const { host = '', port = 5432 } = context.connection;
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((socket) => {
    const target = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const one of [socket, target]) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => sockets.delete(one));
    }
    socket.on('data', (data) => void (isSilent || target.write(data)));
    target.on('data', (data) => void (isSilent || socket.write(data)));
    socket.on('close', () => target.destroy());
    target.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  context.beforeClose(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: databaseUrlOf({ ...context.connection, host: '127.0.0.1', port: address.port }),
    hush: () => {
      isSilent = true;
    },
    /** Discarded data is lost, so waiting clients must reconnect. */
    speak: () => {
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('reports the reason while the database hangs, and ok when it replies again', async (t) => {
  const context = await openTestContext(t);
  const silencer = await openSilencer(context);
  const service = await startServiceProcess(context, 'serve', { DATABASE_URL: silencer.url });
  const ask = async (path: string) => {
    const reply = await fetch(service.address + path);
    return { status: reply.status, body: await reply.json() };
  };
  const fine = { status: 200, body: { status: 'ok' } };
  const broken = { status: 503, body: { status: 'error', reasons: ['the database does not answer'] } };
  for (const { path } of [health, healthReady, healthLive]) assert.deepEqual(await ask(path), fine, path);

  silencer.hush();
  // This request waits for the database much longer than the health checks.
  let isPending = true;
  const other = fetch(`${service.address}/api/account`, {
    headers: { authorization: 'Bearer sst_x' },
  }).finally(() => {
    isPending = false;
  });
  for (const { path } of [health, healthReady]) assert.deepEqual(await ask(path), broken, path);
  assert.deepEqual(await ask(healthLive.path), fine);
  assert.equal(isPending, true);

  silencer.speak();
  await eventually(
    () => ask(health.path),
    ({ status }) => status === 200,
  );
  await eventually(
    () => ask(healthReady.path),
    ({ status }) => status === 200,
  );
  await other.catch(() => undefined);
});

test('is not rate-limited and makes no query through the pool, but sends the rate limit headers', async (t) => {
  const { app, context, registerUser } = await openTestApp(t);
  const { headers } = await registerUser();
  for (const { path } of [health, healthReady, healthLive]) {
    const reply = await app.inject({ url: path, headers });
    assert.deepEqual([reply.statusCode, reply.json()], [200, { status: 'ok' }]);
    assert.equal(reply.headers['x-ratelimit-remaining'], String(rateLimits.web.requests));
    assert.equal(reply.headers['x-ratelimit-limit'], String(rateLimits.web.requests));
    assert.ok(Number(reply.headers['x-ratelimit-reset']) > 0);
  }
  assert.deepEqual(await context.db.selectFrom('rate_limits').selectAll().execute(), []);
  // The API key was not authenticated.
  const keys = await context.db.selectFrom('api_keys').select('last_used_at').execute();
  assert.deepEqual(keys, [{ last_used_at: null }]);
});

test('reports a full or failing disk and stays alive', async (t) => {
  let free = 10 ** 12;
  const { app } = await openTestApp(t, {
    measureSpace: async () => {
      if (free < 0) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      return { freeBytes: free, totalBytes: 10 ** 12 };
    },
  });
  assert.equal((await app.inject(health.path)).statusCode, 200);
  free = 0;
  const full = await app.inject(health.path);
  assert.equal(full.statusCode, 503);
  assert.deepEqual(full.json(), { status: 'error', reasons: ['the disk of the audio files is full'] });
  free = -1;
  assert.match((await app.inject(health.path)).body, /the disk cannot be examined \(EIO\)/);
  assert.equal((await app.inject(healthLive.path)).statusCode, 200);
  assert.equal((await app.inject(healthReady.path)).statusCode, 200);
});

test('reports that it is not ready if the database schema is outdated', async (t) => {
  const { app, context, service } = await openTestApp(t);
  await context.db.deleteFrom('schema_migrations' as never).execute();
  const unmigrated = await app.inject(healthReady.path);
  assert.deepEqual(
    [unmigrated.statusCode, unmigrated.json()],
    [503, { status: 'error', reasons: ['the database schema is not up to date'] }],
  );
  const address = await service.listen(0, '127.0.0.1');
  assert.equal((await fetch(`${address}${healthLive.path}`)).status, 200);
});
