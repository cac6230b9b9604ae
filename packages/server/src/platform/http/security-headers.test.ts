import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openTestApp } from '../../testing/test-app.ts';
import { createStillClock } from '../../testing/test-clock.ts';
import type { TestOverrides } from '../../testing/test-context.ts';

const pages = { accept: 'text/html' };

type Headers = Readonly<Record<string, unknown>>;

function assertSecure(headers: Headers, where: string): void {
  const policy = String(headers['content-security-policy']);
  assert.doesNotMatch(policy, /'unsafe-|\*/, where);
  assert.match(policy, /default-src '(self|none)'/, where);
  assert.match(policy, /frame-ancestors 'none'/, where);
  assert.equal(headers['x-content-type-options'], 'nosniff', where);
  assert.equal(headers['referrer-policy'], 'same-origin', where);
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin', where);
  assert.equal(headers['cross-origin-embedder-policy'], 'require-corp', where);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', where);
  assert.equal(headers['x-powered-by'], undefined, where);
}

/** Sends raw bytes and returns the reply until the connection ends. */
async function rawReply(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let reply = '';
  for await (const chunk of socket) reply += String(chunk);
  return reply;
}

async function open(t: Parameters<typeof openTestApp>[0], config: TestOverrides['config'] = {}) {
  // Rate limits count per minute; with this clock the minute does not end.
  const opened = await openTestApp(t, { config, clock: createStillClock() });
  const ask = (url: string, headers: Record<string, string> = {}) =>
    opened.app.inject({ method: 'GET', url, headers });
  return { ...opened, ask };
}

test('sends security headers with every page and every API reply', async (t) => {
  const { ask, registerUser } = await open(t);
  const user = await registerUser();
  const asked: readonly (readonly [string, number, Record<string, string>])[] = [
    ['/', 303, pages],
    ['/users/log-in', 200, pages],
    ['/users/register', 200, pages],
    ['/users/settings', 303, pages],
    ['/dj', 308, pages],
    ['/plain-page.css', 200, {}],
    ['/health', 200, {}],
    ['/api/openapi.json', 200, {}],
    ['/api/account', 200, user.headers],
    ['/api/account', 401, {}],
    ['/api/nothing', 404, user.headers],
    ['/api/tracks?page=x', 422, user.headers],
    ['/files/nothing', 401, {}],
    ['/nothing', 404, pages],
    ['/%zz', 400, pages],
    ['/%zz', 400, {}],
  ];
  for (const [url, status, headers] of asked) {
    const reply = await ask(url, headers);
    assert.equal(reply.statusCode, status, url);
    assertSecure(reply.headers, `${url} ${status}`);
  }
});

test('sends security headers with rejections before the handlers', async (t) => {
  const { ask, app, service, registerUser } = await open(t);
  const { headers } = await registerUser();
  for (let i = 0; i < 60; i++) await ask('/api/account', headers);
  const limited = await ask('/api/account', headers);
  assert.equal(limited.statusCode, 429);
  assertSecure(limited.headers, '429');
  const address = await service.listen(0, '127.0.0.1');
  const raw = await rawReply(Number(new URL(address).port), 'nonsense\r\n\r\n');
  assert.match(raw, /^HTTP\/1\.1 400 /);
  assert.match(raw, /\r\nx-content-type-options: nosniff\r\n/);
  assert.match(raw, /frame-ancestors 'none'/);
  await service.stop();
  const stopping = await app
    .inject({ method: 'GET', url: '/users/log-in', headers: pages })
    .catch(() => null);
  if (stopping) assertSecure(stopping.headers, String(stopping.statusCode));
});

test('sends Strict-Transport-Security only if the public URL is https', async (t) => {
  const plain = await open(t);
  assert.equal((await plain.ask('/health')).headers['strict-transport-security'], undefined);
  const secure = await open(t, { publicUrl: 'https://studio.example.org' });
  for (const url of ['/health', '/users/log-in', '/nothing'])
    assert.match(String((await secure.ask(url)).headers['strict-transport-security']), /^max-age=\d{7,}$/);
});

test('renders no page with inline scripts or styles', async (t) => {
  const { ask } = await open(t);
  for (const url of ['/users/log-in', '/users/register', '/nothing']) {
    const { payload } = await ask(url, pages);
    assert.match(payload, /<html/);
    assert.doesNotMatch(payload, /<script|<style|style="|\son\w+="|javascript:/i, url);
  }
});
