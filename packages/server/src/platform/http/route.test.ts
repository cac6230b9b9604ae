import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint } from '@stem-studio/contract/endpoint';
import { dataOf, pageQuery } from '@stem-studio/contract/envelope';
import { idParams } from '@stem-studio/contract/ids';
import { z } from 'zod';
import { createApp } from '../../app.ts';
import { fakeAuthenticator } from '../../testing/fake-authenticator.ts';
import { openTestContext, type TestLifetime, type TestOverrides } from '../../testing/test-context.ts';
import { stateForbids } from '../errors.ts';
import type { Feature } from '../feature.ts';
import { receiveFile } from './receive-file.ts';
import { route, withStatus } from './route.ts';

const echo = endpoint({
  method: 'POST',
  path: '/api/echo/:id',
  summary: 'Says it again',
  auth: 'api',
  limit: 'import',
  status: 201,
  params: idParams,
  query: z.strictObject({ ...pageQuery }),
  body: z.strictObject({
    title: z.string().min(1, 'must not be empty'),
    tags: z.array(z.string()).default([]),
  }),
  reply: dataOf(z.object({ title: z.string(), page: z.int(), user: z.int() })),
});
const list = endpoint({
  method: 'GET',
  path: '/api/list',
  summary: 'x',
  auth: 'api',
  status: 200,
  reply: dataOf(z.int()),
});
const admin = endpoint({ ...list, path: '/api/admins', role: 'admin' });
const browsers = endpoint({ ...list, path: '/api/browsers', auth: 'cookie' });
const broken = endpoint({ ...list, path: '/api/broken' });
const failing = endpoint({ ...list, path: '/api/failing' });
const removal = endpoint({
  method: 'DELETE',
  path: '/api/list/:id',
  summary: 'x',
  auth: 'api',
  status: 204,
  params: idParams,
});
const forbiddenState = endpoint({ ...removal, path: '/api/tracks/:id/stop', method: 'POST' });
const upload = endpoint({
  method: 'POST',
  path: '/api/up',
  summary: 'x',
  auth: 'api',
  status: 201,
  bodyKind: 'multipart',
  reply: dataOf(z.object({ bytes: z.int(), sha256: z.string(), fileName: z.string() })),
});

const feature: Feature = {
  name: 'echoes',
  routes: (app, context) => {
    route(app, context, echo, async ({ viewer, query, body }) => {
      const data = { data: { title: body.title, page: query.page, user: viewer.id } };
      return body.title === 'old' ? withStatus(200, data) : data;
    });
    route(app, context, list, async () => ({ data: 1 }));
    route(app, context, admin, async () => ({ data: 2 }));
    route(app, context, browsers, async () => ({ data: 3 }));
    route(app, context, broken, async () => ({ data: 'four' as unknown as number }));
    route(app, context, failing, () => Promise.reject(new Error('the password is hunter2')));
    route(app, context, slow, async () => {
      entered.resolve();
      await leave.promise;
      return { data: 5 };
    });
    route(app, context, removal, async () => undefined);
    route(app, context, forbiddenState, () =>
      Promise.reject(stateForbids('TRACK_NOT_DOWNLOADED', 'not downloaded yet')),
    );
    route(app, context, upload, async ({ request }) => ({
      data: await receiveFile(context, request, 'in/file'),
    }));
  },
};

async function open(t: TestLifetime, overrides: TestOverrides = {}) {
  const context = await openTestContext(t, overrides);
  const service = await createApp(context, [feature], fakeAuthenticator);
  context.beforeClose(() => service.stop());
  return { context, app: service.http, service };
}

const entered = Promise.withResolvers<void>();
const leave = Promise.withResolvers<void>();
const slow = endpoint({ ...list, path: '/api/slow' });

const id = '01890f6e-0000-7000-8000-000000000000';
const bearer = { authorization: 'Bearer 7' };
const echoed = (
  payload: object | string,
  headers: Record<string, string> = bearer,
  url = `/api/echo/${id}`,
) => ({ method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, payload }) as const;

test('a request is parsed, defaulted and answered in the envelope', async (t) => {
  const { app } = await open(t);
  const reply = await app.inject(echoed({ title: 'x' }, bearer, `/api/echo/${id}?page=3`));
  assert.equal(reply.statusCode, 201);
  assert.deepEqual(reply.json(), { data: { title: 'x', page: 3, user: 7 } });
  assert.equal((await app.inject(echoed({ title: 'old' }))).statusCode, 200);
  const removed = await app.inject({ method: 'DELETE', url: `/api/list/${id}`, headers: bearer });
  assert.deepEqual([removed.statusCode, removed.body], [204, '']);
});

test('an unknown field is refused whatever it is called, also by a name that every object has', async (t) => {
  const { app } = await open(t);
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    const body = await app.inject(echoed({ title: 'x', [name]: 1 }));
    assert.equal(body.statusCode, 422, name);
    assert.deepEqual(body.json().details, { [name]: ['is not a known field'] });
    const query = await app.inject(echoed({ title: 'x' }, bearer, `/api/echo/${id}?${name}=1`));
    assert.equal(query.statusCode, 422, name);
  }
  const query = await app.inject(echoed({ title: 'x' }, bearer, `/api/echo/${id}?__proto__=1`));
  assert.equal(query.statusCode, 422);
  assert.match(query.body, /"details":\{"__proto__":\["is not a known field"\]\}/);
});

test('text that the database cannot hold is 422 and names its field', async (t) => {
  const { app } = await open(t);
  for (const text of ['a\0b', 'half \ud83c', '\udf08 half']) {
    const title = await app.inject(echoed({ title: text }));
    assert.deepEqual([title.statusCode, Object.keys(title.json().details)], [422, ['title']]);
    const tag = await app.inject(echoed({ title: 'x', tags: ['fine', text] }));
    assert.deepEqual([tag.statusCode, Object.keys(tag.json().details)], [422, ['tags.1']]);
  }
  assert.equal((await app.inject(echoed({ title: 'whole \u{1f308}' }))).statusCode, 201);
});

test('a body that is null is no object, and not an absent one', async (t) => {
  const { app } = await open(t);
  const reply = await app.inject(echoed('null'));
  assert.deepEqual([reply.statusCode, reply.json().code], [422, 'VALIDATION_ERROR']);
  assert.deepEqual(Object.keys(reply.json().details), ['body']);
});

test('validation failures are 422 with messages by field name, unknown fields included', async (t) => {
  const { app } = await open(t);
  const cases: [object, Record<string, string[]>][] = [
    [{}, { title: ['is required'] }],
    [{ title: '' }, { title: ['must not be empty'] }],
    [{ title: 3 }, { title: ['must be string, received number'] }],
    [{ title: 'x', colour: 'red' }, { colour: ['is not a known field'] }],
    [{ title: 'x', tags: ['a', 1] }, { 'tags.1': ['must be string, received number'] }],
  ];
  for (const [body, details] of cases) {
    const reply = await app.inject(echoed(body));
    assert.equal(reply.statusCode, 422);
    assert.equal(reply.json().code, 'VALIDATION_ERROR');
    assert.deepEqual(reply.json().details, details);
  }
  const query = await app.inject(echoed({ title: 'x' }, bearer, `/api/echo/${id}?page_size=101&sort=a`));
  assert.equal(query.statusCode, 422);
  assert.deepEqual(Object.keys(query.json().details).sort(), ['page_size', 'sort']);
});

test('JSON that does not parse is 400, a body of another type too, and a body that is too large 413', async (t) => {
  const { app } = await open(t);
  for (const payload of ['{"title":', 'nonsense', '{"__proto__":{"a":1},"title":"x"}']) {
    const reply = await app.inject(echoed(payload));
    assert.deepEqual([reply.statusCode, reply.json().code], [400, 'BAD_REQUEST'], payload);
  }
  const xml = await app.inject(echoed('<a/>', { ...bearer, 'content-type': 'text/xml' }));
  assert.deepEqual([xml.statusCode, xml.json().code], [400, 'BAD_REQUEST']);
  const large = await app.inject(echoed({ title: 'x'.repeat(1_100_000) }));
  assert.deepEqual([large.statusCode, large.json().code], [413, 'PAYLOAD_TOO_LARGE']);
});

test('an id that cannot exist is 404 and says what was looked for', async (t) => {
  const { app } = await open(t);
  const reply = await app.inject({ method: 'POST', url: '/api/tracks/12/stop', headers: bearer });
  assert.equal(reply.statusCode, 404);
  assert.deepEqual(reply.json(), { error: 'track not found', code: 'NOT_FOUND' });
});

test('what the state forbids is 422 with a code of its own and details', async (t) => {
  const { app } = await open(t);
  const reply = await app.inject({ method: 'POST', url: `/api/tracks/${id}/stop`, headers: bearer });
  assert.equal(reply.statusCode, 422);
  assert.deepEqual(reply.json(), { error: 'not downloaded yet', code: 'TRACK_NOT_DOWNLOADED', details: {} });
});

test('who is nobody gets 401, whose role is too low 403, a token where a browser is asked for 401', async (t) => {
  const { app } = await open(t);
  const ask = (url: string, headers: Record<string, string>) => app.inject({ method: 'GET', url, headers });
  assert.equal((await ask('/api/list', {})).statusCode, 401);
  assert.equal((await ask('/api/list', { authorization: 'Bearer wrong' })).json().code, 'UNAUTHORIZED');
  assert.equal((await ask('/api/admins', bearer)).json().code, 'FORBIDDEN');
  assert.equal((await ask('/api/admins', { authorization: 'Bearer 1:platform_admin' })).statusCode, 200);
  assert.equal((await ask('/api/browsers', bearer)).statusCode, 401);
  assert.equal((await ask('/api/browsers', { cookie: 'user=7' })).statusCode, 200);
});

test('a cookie that changes state needs the CSRF token, a bearer token does not', async (t) => {
  const { app } = await open(t);
  assert.equal((await app.inject(echoed({ title: 'x' }, { cookie: 'user=7' }))).statusCode, 403);
  assert.equal(
    (await app.inject(echoed({ title: 'x' }, { cookie: 'user=7', 'x-csrf-token': 'yes' }))).statusCode,
    201,
  );
  const read = await app.inject({ method: 'GET', url: '/api/list', headers: { cookie: 'user=7' } });
  assert.equal(read.statusCode, 200);
});

test('an internal error says nothing of itself', async (t) => {
  const { app } = await open(t);
  const reply = await app.inject({ method: 'GET', url: '/api/failing', headers: bearer });
  assert.equal(reply.statusCode, 500);
  assert.deepEqual(reply.json(), {
    error: 'something went wrong inside the service',
    code: 'INTERNAL_ERROR',
  });
});

test('outside production a reply that is not as the contract says is a 500', async (t) => {
  const { app } = await open(t);
  assert.equal((await app.inject({ method: 'GET', url: '/api/broken', headers: bearer })).statusCode, 500);
  const production = await open(t, { config: { isProduction: true } });
  const reply = await production.app.inject({ method: 'GET', url: '/api/broken', headers: bearer });
  assert.deepEqual(reply.json(), { data: 'four' });
});

test('unknown addresses are a 404 in the envelope under /api, and a page for browsers elsewhere', async (t) => {
  const { app } = await open(t);
  const api = await app.inject({ method: 'GET', url: '/api/nothing', headers: { accept: 'text/html' } });
  assert.deepEqual([api.statusCode, api.json().code], [404, 'NOT_FOUND']);
  const page = await app.inject({ method: 'GET', url: '/nothing', headers: { accept: 'text/html' } });
  assert.equal(page.statusCode, 404);
  assert.match(page.headers['content-type'] as string, /^text\/html/);
});

test('rate limit headers stand on every response, whatever its status', async (t) => {
  const { app } = await open(t);
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

test('the eleventh import of a minute is 429 with retry_after, and other limits are not touched', async (t) => {
  const { app } = await open(t);
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

test('tokens have 60 requests a minute for each user, the page a bucket of its own', async (t) => {
  const { app } = await open(t);
  const ask = (headers: Record<string, string>) => app.inject({ method: 'GET', url: '/api/list', headers });
  for (let i = 0; i < 60; i++) assert.equal((await ask(bearer)).statusCode, 200);
  assert.equal((await ask(bearer)).statusCode, 429);
  assert.equal((await ask({ authorization: 'Bearer 8' })).statusCode, 200);
  const page = await ask({ cookie: 'user=7' });
  assert.deepEqual([page.statusCode, page.headers['x-ratelimit-limit']], [200, '1200']);
});

test('a forwarded address is believed only from a trusted proxy', async (t) => {
  const forwarded = (address: string) => ({
    method: 'GET' as const,
    url: '/api/nothing',
    headers: { 'x-forwarded-for': address },
  });
  const remaining = async (app: Awaited<ReturnType<typeof open>>['app'], address: string) =>
    (await app.inject(forwarded(address))).headers['x-ratelimit-remaining'];
  const { app } = await open(t);
  assert.equal(await remaining(app, '1.1.1.1'), '59');
  assert.equal(await remaining(app, '2.2.2.2'), '58');
  const trusting = await open(t, { config: { trustedProxies: ['loopback'] } });
  assert.equal(await remaining(trusting.app, '1.1.1.1'), '59');
  assert.equal(await remaining(trusting.app, '2.2.2.2'), '59');
});

test('pages are isolated and run only what is ours', async (t) => {
  const { app } = await open(t);
  const { headers } = await app.inject({ method: 'GET', url: '/health' });
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'?[^']*'unsafe-eval/);
});

test('an upload is streamed to its place with its hash, and one too large leaves nothing', async (t) => {
  const { app, context } = await open(t, { config: { maxUploadMb: 1 } });
  const send = (bytes: number, field = 'file') => {
    const form = new FormData();
    form.set(field, new Blob([new Uint8Array(bytes)]), '../a song.wav');
    return app.inject({ method: 'POST', url: '/api/up', headers: bearer, payload: form });
  };
  const fine = await send(500_000);
  assert.equal(fine.statusCode, 201);
  assert.deepEqual(
    { ...fine.json().data, sha256: '' },
    { bytes: 500_000, sha256: '', fileName: 'a song.wav' },
  );
  assert.equal((await context.files.stat('in/file'))?.bytes, 500_000);
  await context.files.remove('in/file');
  const large = await send(1_060_000);
  assert.deepEqual([large.statusCode, large.json().code], [413, 'PAYLOAD_TOO_LARGE']);
  assert.equal(await context.files.stat('in/file'), null);
  assert.equal(await context.files.sweep(0), 0);
  assert.deepEqual((await send(10, 'other')).json().details, {
    other: ['is not a known field'],
    file: ['is required'],
  });
  assert.equal((await send(0)).statusCode, 422);
  const json = await app.inject({ method: 'POST', url: '/api/up', headers: bearer, payload: {} });
  assert.equal(json.statusCode, 422);
});

test('the OpenAPI document lists what is mounted, with its schemas', async (t) => {
  const { app } = await open(t);
  const reply = await app.inject({ method: 'GET', url: '/api/openapi.json' });
  assert.equal(reply.statusCode, 200);
  const document = reply.json();
  assert.equal(document.openapi, '3.1.0');
  assert.ok(document.paths['/health'].get);
  const operation = document.paths['/api/echo/{id}'].post;
  assert.deepEqual(Object.keys(operation.responses).sort(), [
    '200',
    '201',
    '400',
    '401',
    '403',
    '404',
    '413',
    '422',
    '429',
    '500',
    '503',
  ]);
  assert.equal(operation.requestBody.content['application/json'].schema.additionalProperties, false);
  assert.equal(operation.parameters.find((one: { name: string }) => one.name === 'page').required, false);
});

test('while stopping, new requests are told to come back and running ones finish', async (t) => {
  const { service, app } = await open(t);
  const address = await service.listen(0, '127.0.0.1');
  const running = fetch(`${address}/api/slow`, { headers: bearer });
  await entered.promise;
  const stopped = service.stop();
  const late = await app.inject({ method: 'GET', url: '/api/list', headers: bearer });
  assert.deepEqual(
    [late.statusCode, late.json().code, late.headers['retry-after']],
    [503, 'UNAVAILABLE', '5'],
  );
  leave.resolve();
  const reply = await running;
  assert.deepEqual([reply.status, await reply.json()], [200, { data: 5 }]);
  await stopped;
  await assert.rejects(fetch(`${address}/health`));
});
