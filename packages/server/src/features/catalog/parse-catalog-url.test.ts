import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type CatalogLink, parseCatalogUrl } from './parse-catalog-url.ts';

const names = {
  hosts: ['open.catalog.example', 'catalog.example'],
  shortHosts: ['link.example'],
  scheme: 'webcat',
};
const id = '4uLU6hMCjMI75M1A2tKUQC';
const web = (type: 'track' | 'album' | 'playlist'): CatalogLink => ({
  kind: 'item',
  catalog: 'web',
  type,
  id,
});
const local = (type: 'track' | 'album' | 'playlist', localId: string): CatalogLink => ({
  kind: 'item',
  catalog: 'local',
  type,
  id: localId,
});

const cases: readonly (readonly [string, CatalogLink | null])[] = [
  [`https://open.catalog.example/track/${id}`, web('track')],
  [`https://open.catalog.example/album/${id}`, web('album')],
  [`https://open.catalog.example/playlist/${id}`, web('playlist')],
  [`https://open.catalog.example/track/${id}?si=abc123&utm=x`, web('track')],
  [`https://open.catalog.example/track/${id}#play`, web('track')],
  [`https://open.catalog.example/track/${id}/`, web('track')],
  [`http://open.catalog.example/track/${id}`, web('track')],
  [`HTTPS://OPEN.CATALOG.EXAMPLE/track/${id}`, web('track')],
  [`  https://open.catalog.example/track/${id}\n`, web('track')],
  [`https://www.catalog.example/track/${id}`, web('track')],
  [`catalog.example/track/${id}`, web('track')],
  [`https://open.catalog.example/intl-de/track/${id}`, web('track')],
  [`https://open.catalog.example/intl-pt-br/album/${id}?si=1`, web('album')],
  [`https://open.catalog.example/embed/playlist/${id}`, web('playlist')],
  [`https://open.catalog.example/intl-fr/embed/track/${id}`, web('track')],
  [`https://open.catalog.example/user/some.one/playlist/${id}`, web('playlist')],
  [`webcat:track:${id}`, web('track')],
  [`WEBCAT:album:${id}`, web('album')],
  [`webcat:user:someone:playlist:${id}`, web('playlist')],
  ['catalog:track:abc_DEF-1', local('track', 'abc_DEF-1')],
  ['catalog:album:7', local('album', '7')],
  [`catalog:playlist:${id}`, local('playlist', id)],
  ['https://link.example/aB3xY', { kind: 'short', url: 'https://link.example/aB3xY' }],
  ['link.example/aB3xY', { kind: 'short', url: 'https://link.example/aB3xY' }],
  ['https://open.catalog.example/s/aB3xY', { kind: 'short', url: 'https://open.catalog.example/s/aB3xY' }],
  // None of these is a catalog link.
  ['', null],
  ['hello', null],
  ['https://example.org/track/' + id, null],
  [`https://open.catalog.example.evil.org/track/${id}`, null],
  [`https://evil.org/?u=https://open.catalog.example/track/${id}`, null],
  [`https://user:pw@open.catalog.example/track/${id}`, null],
  [`https://open.catalog.example:8443/track/${id}`, null],
  [`https://open.catalog.example/artist/${id}`, null],
  [`https://open.catalog.example/episode/${id}`, null],
  ['https://open.catalog.example/track/', null],
  ['https://open.catalog.example/track/short', null],
  [`https://open.catalog.example/track/${id}x`, null],
  [`https://open.catalog.example/track/${id}/more`, null],
  [`https://open.catalog.example/track/../track/${id}/..`, null],
  ['https://link.example/', null],
  ['https://link.example/a/b', null],
  [`webcat:artist:${id}`, null],
  ['webcat:track:nope', null],
  [`other:track:${id}`, null],
  ['catalog:track:', null],
  ['catalog:track:a b', null],
  [`catalog:track:${'a'.repeat(65)}`, null],
  ['catalog:track:a:b', null],
  [`javascript:alert(1)//open.catalog.example/track/${id}`, null],
  [`ftp://open.catalog.example/track/${id}`, null],
  [`https://open.catalog.example/track/${id} https://other`, null],
];

test('parses supported catalog URLs to type and id and rejects anything else', () => {
  for (const [text, expected] of cases) assert.deepEqual(parseCatalogUrl(text, names), expected, text);
});

test('never throws on any text and returns only ids contained in it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((s) => `catalog:track:${s}`),
      ),
      (text) => {
        const link = parseCatalogUrl(text, names);
        if (link?.kind === 'item') assert.ok(text.includes(link.id));
      },
    ),
    { numRuns: 500 },
  );
});
