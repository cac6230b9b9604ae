import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { endpoint } from '@stem-studio/contract/endpoint';
import { dataOf } from '@stem-studio/contract/envelope';
import { z } from 'zod';
import { createApp } from '../../app.ts';
import { bearer, upload } from '../../testing/echo-feature.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { multipart } from '../../testing/library-steps.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import { pause } from '../clock.ts';
import type { Feature } from '../feature.ts';
import { receiveFile } from './receive-file.ts';
import { route } from './route.ts';

const note = endpoint({
  method: 'POST',
  path: '/api/note',
  summary: 'x',
  auth: 'api',
  scope: 'tracks:write',
  status: 201,
  body: z.strictObject({ text: z.string().default('nothing') }),
  reply: dataOf(z.string()),
});
const feature: Feature = {
  name: 'receivers',
  routes: (app, context) => {
    route(app, context, upload, async ({ request }) => ({
      data: await receiveFile(context, request, 'in/file'),
    }));
    route(app, context, note, async ({ body }) => ({ data: body.text }));
  },
};

async function open(t: TestLifetime) {
  const context = await openTestContext(t);
  const service = await createApp(context, [feature], fakeAuthenticator);
  context.beforeClose(() => service.stop());
  const post = (payload: Buffer | string, type: string, url: string = upload.path) =>
    service.http.inject({ method: 'POST', url, headers: { ...bearer, 'content-type': type }, payload });
  const halfWritten = () => readdir(join(context.config.uploadsDir, '.staging'));
  return { context, service, post, halfWritten };
}

test('rejects a truncated or invalid multipart body with 400 and leaves nothing', async (t) => {
  const { post, halfWritten } = await open(t);
  const { headers, payload } = multipart([{ name: 'file', fileName: 'a.wav', bytes: Buffer.alloc(5000) }]);
  const whole = await post(payload, headers['content-type']);
  assert.equal(whole.statusCode, 201);
  for (const [body, type] of [
    [payload.subarray(0, 3000), headers['content-type']],
    [payload, 'multipart/form-data'],
  ] as const) {
    const reply = await post(body, type);
    assert.deepEqual([reply.statusCode, reply.json().code], [400, 'BAD_REQUEST'], type);
    assert.match(reply.json().error, /^the multipart body cannot be read/);
  }
  assert.deepEqual(await halfWritten(), []);
});

test('converts a file name to text that the database can store', async (t) => {
  const { post } = await open(t);
  const nameOf = async (disposition: string) => {
    const body = `--b\r\ncontent-disposition: form-data; name="file"; ${disposition}\r\n\r\nx\r\n--b--\r\n`;
    return (await post(body, 'multipart/form-data; boundary=b')).json().data.fileName as string;
  };
  assert.equal(await nameOf("filename*=UTF-8''a%00b.wav"), 'a b.wav');
  const cut = await nameOf(`filename="${'x'.repeat(254)}\u{1f308}.wav"`);
  assert.deepEqual([cut.length, cut.isWellFormed()], [255, true]);
});

test('rejects bodies over a megabyte with 413 except upload files', async (t) => {
  const { post } = await open(t);
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const reply = await post(Buffer.alloc(1_000_001, ' '), type);
    assert.deepEqual([reply.statusCode, reply.json().code], [413, 'PAYLOAD_TOO_LARGE'], type);
    assert.match(reply.json().error, /must not be larger than 1000000 bytes/);
  }
});

test('rejects a form for a JSON endpoint with 400', async (t) => {
  const { post } = await open(t);
  const { headers, payload } = multipart([{ name: 'text', bytes: Buffer.from('something') }]);
  const reply = await post(payload, headers['content-type'], note.path);
  assert.deepEqual([reply.statusCode, reply.json().code], [400, 'BAD_REQUEST']);
});

/** Begins an upload and sends the first part of its file. */
function beginUpload(address: string): Socket {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.write(
    `POST ${upload.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 7\r\nContent-Length: 90000\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\n\r\n` +
      `--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n${'x'.repeat(9000)}`,
  );
  return socket;
}

test('leaves nothing and logs no error when a client disconnects during an upload', async (t) => {
  const { context, service, halfWritten } = await open(t);
  const faults = t.mock.method(context.log, 'error');
  const socket = beginUpload(await service.listen(0, '127.0.0.1'));
  while ((await halfWritten()).length === 0) await pause(10);
  socket.destroy();
  while ((await halfWritten()).length > 0) await pause(10);
  await service.stop();
  assert.equal(faults.mock.callCount(), 0);
});

test('disconnects a client that stops sending during an upload, and leaves nothing', async (t) => {
  const { service, halfWritten } = await open(t);
  const { server } = service.http;
  assert.equal(server.timeout, 300_000);
  const connections: Socket[] = [];
  server.on('connection', (connection: Socket) => connections.push(connection));
  const socket = beginUpload(await service.listen(0, '127.0.0.1'));
  const ended = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  while ((await halfWritten()).length === 0) await pause(10);
  // Set only now, so that the upload is in progress however long its beginning took.
  for (const connection of connections) connection.setTimeout(100);
  await ended;
  while ((await halfWritten()).length > 0) await pause(10);
  assert.deepEqual(await halfWritten(), []);
});
