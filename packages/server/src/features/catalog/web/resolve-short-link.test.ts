import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standInId } from '../../../testing/stand-ins/catalog-data.ts';
import { startStandInCatalog } from '../../../testing/stand-ins/catalog-server.ts';
import { resolveShortLink } from './resolve-short-link.ts';

const names = { hosts: ['open.spotify.com'], shortHosts: ['spotify.link'], scheme: 'spotify' };
const answering = (status: number, location?: string) => () =>
  Promise.resolve(new Response(null, { status, headers: location === undefined ? {} : { location } }));

test('a short link costs one request, and where it leads is read from its redirect', async (t) => {
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

test('a short link that leads out of the catalog, to another short link, or to what cannot be imported is invalid_url', async () => {
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

test('a short link that answers with no redirect, or not at all, is catalog_error', async () => {
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

test('no host but those of the catalog is asked', async () => {
  const request = () => assert.fail('nothing is asked');
  for (const url of ['https://evil.example/abc', 'https://spotify.link:8080/abc'])
    await assert.rejects(resolveShortLink(url, names, request), { code: 'invalid_url' });
});
