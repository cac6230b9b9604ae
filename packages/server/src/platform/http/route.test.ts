import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, echoed, entered, id, leave, openEchoes } from '../../testing/echo-feature.ts';

test('parses a request, applies defaults and replies in the envelope', async (t) => {
  const { app } = await openEchoes(t);
  const reply = await app.inject(echoed({ title: 'x' }, bearer, `/api/echo/${id}?page=3`));
  assert.equal(reply.statusCode, 201);
  assert.deepEqual(reply.json(), { data: { title: 'x', page: 3, user: 7 } });
  assert.equal((await app.inject(echoed({ title: 'old' }))).statusCode, 200);
  const removed = await app.inject({ method: 'DELETE', url: `/api/list/${id}`, headers: bearer });
  assert.deepEqual([removed.statusCode, removed.body], [204, '']);
});

test('rejects unknown fields, also with names of Object.prototype', async (t) => {
  const { app } = await openEchoes(t);
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

test('rejects text that the database cannot store with 422 and the field name', async (t) => {
  const { app } = await openEchoes(t);
  for (const text of ['a\0b', 'half \ud83c', '\udf08 half']) {
    const title = await app.inject(echoed({ title: text }));
    assert.deepEqual([title.statusCode, Object.keys(title.json().details)], [422, ['title']]);
    const tag = await app.inject(echoed({ title: 'x', tags: ['fine', text] }));
    assert.deepEqual([tag.statusCode, Object.keys(tag.json().details)], [422, ['tags.1']]);
  }
  assert.equal((await app.inject(echoed({ title: 'whole \u{1f308}' }))).statusCode, 201);
});

test('rejects a null body with 422', async (t) => {
  const { app } = await openEchoes(t);
  const reply = await app.inject(echoed('null'));
  assert.deepEqual([reply.statusCode, reply.json().code], [422, 'VALIDATION_ERROR']);
  assert.deepEqual(Object.keys(reply.json().details), ['body']);
});

test('rejects invalid input with 422 and messages by field name, including unknown fields', async (t) => {
  const { app } = await openEchoes(t);
  const cases: [object, Record<string, string[]>][] = [
    [{}, { title: ['is required'] }],
    [{ title: '' }, { title: ['must not be empty'] }],
    [{ title: 3 }, { title: ['must be text'] }],
    [{ title: 'x', colour: 'red' }, { colour: ['is not a known field'] }],
    [{ title: 'x', tags: ['a', 1] }, { 'tags.1': ['must be text'] }],
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

test('rejects malformed JSON and other content types with 400, and too large bodies with 413', async (t) => {
  const { app } = await openEchoes(t);
  for (const payload of ['{"title":', 'nonsense', '{"__proto__":{"a":1},"title":"x"}']) {
    const reply = await app.inject(echoed(payload));
    assert.deepEqual([reply.statusCode, reply.json().code], [400, 'BAD_REQUEST'], payload);
  }
  const xml = await app.inject(echoed('<a/>', { ...bearer, 'content-type': 'text/xml' }));
  assert.deepEqual([xml.statusCode, xml.json().code], [400, 'BAD_REQUEST']);
  const large = await app.inject(echoed({ title: 'x'.repeat(1_100_000) }));
  assert.deepEqual([large.statusCode, large.json().code], [413, 'PAYLOAD_TOO_LARGE']);
});

test('rejects an invalid id with 404 and the name of the resource', async (t) => {
  const { app } = await openEchoes(t);
  const reply = await app.inject({ method: 'POST', url: '/api/tracks/12/stop', headers: bearer });
  assert.equal(reply.statusCode, 404);
  assert.deepEqual(reply.json(), { error: 'track not found', code: 'NOT_FOUND' });
});

test('rejects a request that the state forbids with 422 and a specific code', async (t) => {
  const { app } = await openEchoes(t);
  const reply = await app.inject({ method: 'POST', url: `/api/tracks/${id}/stop`, headers: bearer });
  assert.equal(reply.statusCode, 422);
  assert.deepEqual(reply.json(), { error: 'not downloaded yet', code: 'TRACK_NOT_DOWNLOADED', details: {} });
});

test('rejects missing authentication with 401, too low a role with 403, and a token on a browser endpoint with 401', async (t) => {
  const { app } = await openEchoes(t);
  const ask = (url: string, headers: Record<string, string>) => app.inject({ method: 'GET', url, headers });
  assert.equal((await ask('/api/list', {})).statusCode, 401);
  assert.equal((await ask('/api/list', { authorization: 'Bearer wrong' })).json().code, 'UNAUTHORIZED');
  assert.equal((await ask('/api/admins', bearer)).json().code, 'FORBIDDEN');
  assert.equal((await ask('/api/admins', { authorization: 'Bearer 1:platform_admin' })).statusCode, 200);
  assert.equal((await ask('/api/browsers', bearer)).statusCode, 401);
  assert.equal((await ask('/api/browsers', { cookie: 'user=7' })).statusCode, 200);
});

test('requires the CSRF token for changes with a cookie, but not with a bearer token', async (t) => {
  const { app } = await openEchoes(t);
  assert.equal((await app.inject(echoed({ title: 'x' }, { cookie: 'user=7' }))).statusCode, 403);
  assert.equal(
    (await app.inject(echoed({ title: 'x' }, { cookie: 'user=7', 'x-csrf-token': 'yes' }))).statusCode,
    201,
  );
  const read = await app.inject({ method: 'GET', url: '/api/list', headers: { cookie: 'user=7' } });
  assert.equal(read.statusCode, 200);
});

test('hides the details of internal errors', async (t) => {
  const { app } = await openEchoes(t);
  const reply = await app.inject({ method: 'GET', url: '/api/failing', headers: bearer });
  assert.equal(reply.statusCode, 500);
  assert.deepEqual(reply.json(), {
    error: 'something went wrong inside the service',
    code: 'INTERNAL_ERROR',
  });
});

test('replies 500 outside production if a reply does not match the contract', async (t) => {
  const { app } = await openEchoes(t);
  assert.equal((await app.inject({ method: 'GET', url: '/api/broken', headers: bearer })).statusCode, 500);
  const production = await openEchoes(t, { config: { isProduction: true } });
  const reply = await production.app.inject({ method: 'GET', url: '/api/broken', headers: bearer });
  assert.deepEqual(reply.json(), { data: 'four' });
});

test('replies 404 to unknown paths, as JSON under /api and as a page for browsers elsewhere', async (t) => {
  const { app } = await openEchoes(t);
  const api = await app.inject({ method: 'GET', url: '/api/nothing', headers: { accept: 'text/html' } });
  assert.deepEqual([api.statusCode, api.json().code], [404, 'NOT_FOUND']);
  const page = await app.inject({ method: 'GET', url: '/nothing', headers: { accept: 'text/html' } });
  assert.equal(page.statusCode, 404);
  assert.match(page.headers['content-type'] as string, /^text\/html/);
});

test('isolates pages and allows only scripts of the service', async (t) => {
  const { app } = await openEchoes(t);
  const { headers } = await app.inject({ method: 'GET', url: '/health' });
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'?[^']*'unsafe-eval/);
});

test('streams an upload to its path with its hash, and leaves nothing of one that is too large', async (t) => {
  const { app, context } = await openEchoes(t, { config: { maxUploadMb: 1 } });
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

test('lists the mounted endpoints with their schemas in the OpenAPI document', async (t) => {
  const { app } = await openEchoes(t);
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

test('rejects new requests with 503 while stopping, and completes running ones', async (t) => {
  const { service, app } = await openEchoes(t);
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
