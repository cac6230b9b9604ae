import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { errorCodes } from '@stem-studio/contract/error-codes';
import { endpoints } from '@stem-studio/contract/service';
import { openTestApp } from '../../testing/test-app.ts';
import { codesOf, type OpenApiDocument } from './openapi.ts';

const pathOf = (spec: EndpointSpec) => spec.path.replace(/:([a-z_]+)/g, '{$1}');

test('generates valid OpenAPI 3.1 that lists every endpoint under its name', async (t) => {
  const { app } = await openTestApp(t);
  const document = (await app.inject('/api/openapi.json')).json<OpenApiDocument>();
  const judged = await new Validator().validate(structuredClone(document));
  assert.deepEqual(judged, { valid: true });
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((one) => one.operationId),
  );
  assert.deepEqual(ids.toSorted(), Object.keys(endpoints).toSorted());
});

test('describes statuses, codes, limit headers and authentication of every operation', async (t) => {
  const { app } = await openTestApp(t);
  const document = (await app.inject('/api/openapi.json')).json<OpenApiDocument>();
  for (const spec of Object.values(endpoints) as EndpointSpec[]) {
    const operation = document.paths[pathOf(spec)]?.[spec.method.toLowerCase()];
    assert.ok(operation, pathOf(spec));
    for (const code of codesOf(spec)) {
      const refusal = operation.responses[errorCodes[code]];
      assert.ok(refusal?.description.includes(`\`${code}\``), `${code} of ${pathOf(spec)}`);
    }
    for (const response of Object.values(operation.responses))
      assert.ok('X-RateLimit-Remaining' in response.headers);
    assert.equal(operation.security.length === 0, spec.auth === 'none');
    assert.equal(
      operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key'),
      spec.answersOnce === true,
    );
    for (const tag of operation.tags)
      assert.ok(
        document.tags.some(({ name }) => name === tag),
        tag,
      );
  }
});

test('reports the version of the release', async (t) => {
  const { app } = await openTestApp(t);
  const document = (await app.inject('/api/openapi.json')).json<OpenApiDocument>();
  const manifest = await readFile(new URL('../../../../../package.json', import.meta.url), 'utf8');
  assert.equal(document.info.version, (JSON.parse(manifest) as { version: string }).version);
});

test('generates examples of bodies and replies that match their schemas', async (t) => {
  const { app } = await openTestApp(t);
  const document = (await app.inject('/api/openapi.json')).json<OpenApiDocument>();
  for (const spec of Object.values(endpoints) as EndpointSpec[]) {
    const operation = document.paths[pathOf(spec)]?.[spec.method.toLowerCase()];
    const body = operation?.requestBody?.content['application/json'];
    if (body && spec.body) assert.ok(spec.body.safeParse(body.example).success, `body of ${pathOf(spec)}`);
    const reply = operation?.responses[spec.status]?.content?.['application/json'];
    if (!reply || !spec.reply || spec.path === '/api/openapi.json') continue;
    const judged = spec.reply.safeParse(reply.example);
    assert.ok(judged.success, `reply of ${pathOf(spec)}: ${judged.error?.message}`);
  }
});

test('describes every group of endpoints', async (t) => {
  const { app } = await openTestApp(t);
  const { tags } = (await app.inject('/api/openapi.json')).json<OpenApiDocument>();
  assert.ok(tags.length > 10, `found only ${tags.length} groups`);
  assert.deepEqual(
    tags.filter(({ name, description }) => description === name),
    [],
  );
});

test('renders every endpoint on a page without scripts and external resources', async (t) => {
  const { app } = await openTestApp(t, { config: { publicUrl: 'https://studio.example' } });
  const page = await app.inject({ url: '/api/docs', headers: { accept: 'text/html' } });
  assert.equal(page.statusCode, 200);
  assert.match(String(page.headers['content-type']), /^text\/html/);
  for (const [name, spec] of Object.entries(endpoints)) {
    assert.ok(page.body.includes(`id="${name}"`), name);
    assert.ok(page.body.includes(`<code>${pathOf(spec)}</code>`), spec.path);
  }
  assert.match(page.body, /curl -X POST &#39;https:\/\/studio\.example\/api\/processing\/separate&#39;/);
  assert.doesNotMatch(page.body, /<script|style=|src="http|href="http|undefined|\[object/);
  const [, stylesheet = ''] = /href="(\/api-docs\.css[^"]+)"/.exec(page.body) ?? [];
  assert.equal((await app.inject(stylesheet)).headers['content-type'], 'text/css; charset=utf-8');
});
