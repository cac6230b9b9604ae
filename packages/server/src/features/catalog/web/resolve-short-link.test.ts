import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standInId } from '../../../testing/stand-ins/catalog-data.ts';
import { startStandInCatalog } from '../../../testing/stand-ins/catalog-server.ts';
import { resolveShortLink } from './resolve-short-link.ts';

const names = { hosts: ['open.spotify.com'], shortHosts: ['spotify.link'], scheme: 'spotify' };
const answering = (status: number, location?: string) => () =>
  Promise.resolve(new Response(null, { status, headers: location === undefined ? {} : { location } }));

test('resolves a short link with one request by its redirect', async (t) => {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const id = standInId('album', 3);
  const asked: string[] = [];
  const link = await resolveShortLink('https://spotify.link/abc', names, (input, init) => {
    asked.push(input);
    return fetch(`${standIn.origin}/short/album/${id}`, init);
  });
  assert.deepEqual(link, { kind: 'item', catalog: 'web', type: 'album', id });
  assert.deepEqual(asked, ['https://spotify.link/abc']);
  assert.deepEqual(standIn.requests, [`/short/album/${id}`]);
});

test('rejects a short link to another site, another short link or an unsupported item with invalid_url', async () => {
  for (const location of [
    'http://169.254.169.254/latest',
    'https://evil.example/track/4uLU6hMCjMI75M1A2tKUQC',
    'https://spotify.link/again',
    'https://open.spotify.com/artist/4uLU6hMCjMI75M1A2tKUQC',
    'catalog:album:demo',
    'http://[',
  ]) {
    await assert.rejects(resolveShortLink('https://spotify.link/abc', names, answering(302, location)), {
      code: 'invalid_url',
    });
  }
});

test('reports a short link without a redirect or a reply as catalog_error', async () => {
  for (const request of [
    answering(200),
    answering(302),
    answering(404),
    () => Promise.reject(new Error('away')),
  ])
    await assert.rejects(resolveShortLink('https://spotify.link/abc', names, request), {
      code: 'catalog_error',
    });
});

test('makes no request to hosts other than those of the catalog', async () => {
  const request = () => assert.fail('nothing is asked');
  for (const url of ['https://evil.example/abc', 'https://spotify.link:8080/abc'])
    await assert.rejects(resolveShortLink(url, names, request), { code: 'invalid_url' });
});
