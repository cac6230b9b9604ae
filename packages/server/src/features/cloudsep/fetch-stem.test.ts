import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../testing/library-steps.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { CloudError } from './cloud-error.ts';
import { fetchStem } from './fetch-stem.ts';

async function serve(t: TestLifetime, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function options(t: TestLifetime, serviceUrl: string) {
  const path = join(await makeFolder(t), 'stem');
  return { path, serviceUrl, silenceSeconds: 0.2, longestBytes: 1000, signal: new AbortController().signal };
}

test("redirects are followed to the service's own address and never to a private network", async (t) => {
  const url = await serve(t, (request, response) => {
    const [, to] = /^\/to\?(.+)$/.exec(request.url ?? '') ?? [];
    if (to === undefined) return void response.end('a stem');
    response.writeHead(302, { location: decodeURIComponent(to) });
    response.end();
  });
  const given = await options(t, url);
  await fetchStem(`${url}/to?${encodeURIComponent('/stem')}`, given);
  assert.equal(await readFile(given.path, 'utf8'), 'a stem');
  for (const target of ['http://169.254.169.254/', 'http://10.0.0.1/x', 'ftp://audio.example/x', `${url}1/x`])
    await assert.rejects(
      fetchStem(`${url}/to?${encodeURIComponent(target)}`, given),
      /does not lead to a public address/,
      target,
    );
  const deep = ['/to?', '/to?', '/to?', '/to?'].reduceRight(
    (inner, step) => step + encodeURIComponent(inner),
    '/stem',
  );
  await assert.rejects(fetchStem(url + deep, given), /redirected too often/);
});

test('a public name that resolves to a private network is not fetched', async (t) => {
  const given = await options(t, 'http://127.0.0.1:1');
  const resolve = () => Promise.resolve([{ address: '192.168.0.7', family: 4 }]);
  await assert.rejects(
    fetchStem('https://stems.example.org/x', { ...given, resolve }),
    /no address of the public internet/,
  );
});

test('a timeout, a broken connection, an oversized file and an expired link are distinguished', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/silent') response.writeHead(200, { 'content-length': 100 }).write('x');
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy());
    else if (request.url === '/large') response.end('x'.repeat(2000));
    else response.writeHead(request.url === '/gone' ? 410 : 451).end();
  });
  const given = await options(t, url);
  const problemOf = async (path: string) => {
    const error: unknown = await fetchStem(url + path, given).catch((thrown: unknown) => thrown);
    return error instanceof CloudError ? error.problem : error;
  };
  assert.equal(await problemOf('/silent'), 'away');
  assert.equal(await problemOf('/cut'), 'away');
  assert.equal(await problemOf('/large'), 'malformed');
  assert.equal(await problemOf('/gone'), 'gone');
  assert.equal(await problemOf('/other'), 'refused');
});
