import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { endpoint } from '@stem-studio/contract/endpoint';
import { dataOf } from '@stem-studio/contract/envelope';
import { errorBody } from '@stem-studio/contract/errors';
import { idParams } from '@stem-studio/contract/ids';
import { z } from 'zod';
import { createApp } from '../../app.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import type { Feature } from '../feature.ts';
import { route } from './route.ts';

const thing = endpoint({
  method: 'GET',
  path: '/api/things/:id',
  summary: 'x',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  params: idParams,
  reply: dataOf(z.int()),
});
const feature: Feature = {
  name: 'things',
  routes: (app, context) => route(app, context, thing, async () => ({ data: 1 })),
};
const id = '01890f6e-0000-7000-8000-000000000000';
const headers = { authorization: 'Bearer 7', accept: 'text/html' };

async function open(t: TestLifetime) {
  const context = await openTestContext(t);
  const service = await createApp(context, [feature], fakeAuthenticator);
  context.beforeClose(() => service.stop());
  return service;
}

/** Sends raw bytes and returns the whole reply until the connection ends. */
async function exchange(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let reply = '';
  for await (const chunk of socket) reply += String(chunk);
  const [head = '', body = ''] = reply.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), head, body };
}

test('treats percent-encoded paths under /api as API requests', async (t) => {
  const { http } = await open(t);
  for (const url of [`/api/things/${id}`, `/%61pi/things/${id}`, `/%61%70i/thing%73/${id}?x`, '/api?x']) {
    const reply = await http.inject({ method: 'GET', url, headers });
    assert.equal(reply.headers['x-ratelimit-limit'], '60', url);
    assert.equal(reply.headers['cache-control'], 'no-store', url);
    assert.match(String(reply.headers['content-type']), /^application\/json/, url);
  }
});

test('rejects an overlong id with 404', async (t) => {
  const { http } = await open(t);
  const reply = await http.inject({ method: 'GET', url: `/api/things/${'x'.repeat(4000)}`, headers });
  assert.deepEqual([reply.statusCode, reply.json().code], [404, 'NOT_FOUND']);
});

test('rejects invalid HTTP with 400 in the envelope, with rate limit headers', async (t) => {
  const service = await open(t);
  const port = Number(new URL(await service.listen(0, '127.0.0.1')).port);
  for (const text of [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    const { status, head, body } = await exchange(port, text);
    assert.equal(status, 400, text.slice(0, 60));
    assert.equal(errorBody.parse(JSON.parse(body)).code, 'BAD_REQUEST');
    for (const name of ['limit', 'remaining', 'reset'])
      assert.match(head, new RegExp(`^x-ratelimit-${name}: \\d+\r?$`, 'm'));
  }
});

test('ignores an upgrade to another protocol and handles the request', async (t) => {
  const service = await open(t);
  const port = Number(new URL(await service.listen(0, '127.0.0.1')).port);
  const ask = 'GET /health HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n';
  const { status, body } = await exchange(port, ask);
  assert.deepEqual([status, body], [200, '{"status":"ok"}']);
});
