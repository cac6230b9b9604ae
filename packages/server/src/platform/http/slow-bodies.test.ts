import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { openEchoes, upload } from '../../testing/echo-feature.ts';
import { eventually } from '../../testing/eventually.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { arrivalLimits } from './slow-bodies.ts';

async function open(t: TestLifetime, arrival = { periodMs: 300, bytesPerPeriod: 3000 }) {
  const { context, service } = await openEchoes(t, {}, arrival);
  const port = Number(new URL(await service.listen(0, '127.0.0.1')).port);
  /** Sends a head and then a chunk at an interval until the connection ends. Returns the reply. */
  const trickle = async (head: string, piece: string, everyMs: number) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let reply = '';
    socket.on('data', (data) => (reply += data.toString()));
    socket.on('error', () => socket.destroy());
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(reply)));
    socket.write(head);
    const timer = setInterval(() => socket.writable && socket.write(piece), everyMs);
    t.after(() => {
      clearInterval(timer);
      socket.destroy();
    });
    return { socket, closed, reply: () => reply };
  };
  return { context, trickle };
}

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer 7\r\n` +
  `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';

test('sets the limits to 60 s for a small body and 1 kB/s for an upload', () => {
  assert.deepEqual(arrivalLimits, { periodMs: 60_000, bytesPerPeriod: 60_000 });
});

test('ends a slow small body with 400, even if it arrives steadily', async (t) => {
  const { trickle } = await open(t);
  const path = '/api/echo/01890f6e-0000-7000-8000-000000000000';
  const { closed } = await trickle(head(path, 'application/json', 900_000), ' '.repeat(1000), 20);
  const reply = await closed;
  assert.match(reply, /^HTTP\/1\.1 400 /);
  assert.match(reply, /connection: close/i);
  assert.match(reply, /must be whole after 0\.3 s/);
});

test('ends a slow upload with 400 and leaves nothing', async (t) => {
  const { context, trickle } = await open(t);
  const type = 'multipart/form-data; boundary=b';
  const { closed } = await trickle(head(upload.path, type, 1_000_000) + part, 'x', 50);
  const reply = await closed;
  assert.match(reply, /^HTTP\/1\.1 400 [\s\S]*"BAD_REQUEST"/);
  assert.match(reply, /at least 3000 bytes in every 0\.3 s/);
  await eventually(
    () => context.files.stat('in/file'),
    (stat) => stat === null,
  );
});

test('accepts an upload over a slow connection, however long it takes', async (t) => {
  const { trickle } = await open(t, { periodMs: 300, bytesPerPeriod: 200 });
  const type = 'multipart/form-data; boundary=b';
  const pieces = 60;
  const end = '\r\n--b--\r\n';
  const length = part.length + pieces * 1000 + end.length;
  const { socket, reply } = await trickle(head(upload.path, type, length) + part, '', 10_000);
  for (let i = 0; i < pieces; i += 1) {
    socket.write('x'.repeat(1000));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  socket.write(end);
  await eventually(reply, (text) => text.includes('sha256'));
  assert.match(reply(), /^HTTP\/1\.1 201 /);
});

test('closes connections with an unread body or an incomplete head', async (t) => {
  const { trickle } = await open(t);
  const refused = await trickle(
    head(upload.path, 'multipart/form-data; boundary=b', 1_000_000).replace('Bearer 7', 'Bearer no') + part,
    'x',
    50,
  );
  assert.match(await refused.closed, /^HTTP\/1\.1 401 /);
  const headless = await trickle('GET /health HTTP/1.1\r\nHost: localhost\r\n', 'x: y\r\n', 50);
  await headless.closed;
});

test('ignores injected requests, which have no connection', async (t) => {
  const { service } = await openEchoes(t, {}, { periodMs: 50, bytesPerPeriod: 3000 });
  const { http } = service;
  const reply = await http.inject({ method: 'POST', url: upload.path, payload: { title: 'x' } });
  assert.equal(reply.statusCode, 401);
  // Longer than the period after which a slow body is ended.
  await new Promise((resolve) => setTimeout(resolve, 200));
});
