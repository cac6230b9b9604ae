import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { Client } from 'pg';
import { clientConfig, isDatabaseUnavailable } from './connection.ts';

test('treats a connection timeout as an unavailable database', async (t) => {
  const taken: Socket[] = [];
  const silent = createServer((socket) => void taken.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of taken) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const connection = { host: '127.0.0.1', port, user: 'nobody', database: 'nothing' };
  const client = new Client({ ...clientConfig(connection, 0), connectionTimeoutMillis: 50 });
  client.on('error', () => undefined);
  await assert.rejects(client.connect(), (error) => {
    assert.ok(isDatabaseUnavailable(error), String(error));
    return true;
  });
});
