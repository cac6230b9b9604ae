import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, echoed, openEchoes } from '../../testing/echo-feature.ts';

test('sends rate limit headers with every status', async (t) => {
  const { app } = await openEchoes(t);
  for (const [url, headers] of [
    ['/health', {}],
    ['/api/list', bearer],
    ['/api/list', {}],
    ['/api/nothing', {}],
    ['/nothing', { accept: 'text/html' }],
    ['/api/failing', bearer],
    ['/%zz', {}],
  ] as const) {
    const reply = await app.inject({ method: 'GET', url, headers });
    for (const name of ['limit', 'remaining', 'reset'])
      assert.match(String(reply.headers[`x-ratelimit-${name}`]), /^\d+$/, `${name} of ${url}`);
  }
});

test('rejects the eleventh import of a minute with 429 and retry_after, without affecting other limits', async (t) => {
  const { app } = await openEchoes(t);
  for (let i = 0; i < 10; i++) assert.equal((await app.inject(echoed({ title: 'x' }))).statusCode, 201);
  const reply = await app.inject(echoed({ title: 'x' }));
  assert.equal(reply.statusCode, 429);
  const { error, code, retry_after } = reply.json();
  assert.match(error, /^too many requests/);
  assert.equal(code, 'RATE_LIMITED');
  assert.ok(Number.isInteger(retry_after) && retry_after >= 1 && retry_after <= 60);
  assert.equal(reply.headers['retry-after'], String(retry_after));
  assert.equal(reply.headers['x-ratelimit-limit'], '10');
  assert.equal(reply.headers['x-ratelimit-remaining'], '0');
  const other = await app.inject({ method: 'GET', url: '/api/list', headers: bearer });
  assert.deepEqual([other.statusCode, other.headers['x-ratelimit-limit']], [200, '60']);
});

test('limits tokens to 60 requests a minute per user, and pages separately', async (t) => {
  const { app } = await openEchoes(t);
  const ask = (headers: Record<string, string>) => app.inject({ method: 'GET', url: '/api/list', headers });
  for (let i = 0; i < 60; i++) assert.equal((await ask(bearer)).statusCode, 200);
  assert.equal((await ask(bearer)).statusCode, 429);
  assert.equal((await ask({ authorization: 'Bearer 8' })).statusCode, 200);
  const page = await ask({ cookie: 'user=7' });
  assert.deepEqual([page.statusCode, page.headers['x-ratelimit-limit']], [200, '1200']);
});

test('trusts a forwarded address only from a trusted proxy', async (t) => {
  const forwarded = (address: string) => ({
    method: 'GET' as const,
    url: '/api/nothing',
    headers: { 'x-forwarded-for': address },
  });
  const remaining = async (app: Awaited<ReturnType<typeof openEchoes>>['app'], address: string) =>
    (await app.inject(forwarded(address))).headers['x-ratelimit-remaining'];
  const { app } = await openEchoes(t);
  assert.equal(await remaining(app, '1.1.1.1'), '59');
  assert.equal(await remaining(app, '2.2.2.2'), '58');
  const trusting = await openEchoes(t, { config: { trustedProxies: ['loopback'] } });
  assert.equal(await remaining(trusting.app, '1.1.1.1'), '59');
  assert.equal(await remaining(trusting.app, '2.2.2.2'), '59');
});
