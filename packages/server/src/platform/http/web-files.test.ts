import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { serveWebFiles } from './web-files.ts';

const script = 'export const nothing = 0;\n'.repeat(50);

async function serve(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await writeFile(join(folder, 'assets/index-AbCdEf12.js'), script);
  await writeFile(join(folder, 'assets/index-AbCdEf12.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  const app = fastify();
  t.after(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  assert.equal(await serveWebFiles(app, folder), true);
  return (url: string, encodings?: string) =>
    app.inject({ url, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });
}

test('sends a script compressed to clients that accept it, uncompressed to others, cached permanently', async (t) => {
  const get = await serve(t);
  const packed = await get('/assets/index-AbCdEf12.js', 'gzip, br');
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.match(String(packed.headers['content-type']), /javascript/);
  assert.match(String(packed.headers['vary']), /accept-encoding/i);
  assert.equal(gunzipSync(packed.rawPayload).toString(), script);
  const plain = await get('/assets/index-AbCdEf12.js');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.payload, script);
  for (const reply of [packed, plain])
    assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
});

test('revalidates files without a content hash, and does not serve the document as a file', async (t) => {
  const get = await serve(t);
  const icon = await get('/favicon.svg', 'gzip');
  assert.deepEqual([icon.statusCode, icon.headers['cache-control']], [200, 'no-cache']);
  assert.equal((await get('/index.html')).statusCode, 404);
});

test('serves nothing if the page is not built', async () => {
  assert.equal(await serveWebFiles(fastify(), '/no/such/folder'), false);
});
