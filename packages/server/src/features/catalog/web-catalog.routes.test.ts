import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchCatalog, getCatalogTrack, searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { openLibrary } from '../../testing/library-steps.ts';
import { standInId, standInPlaylists } from '../../testing/stand-ins/catalog-data.ts';
import { startStandInCatalog } from '../../testing/stand-ins/catalog-server.ts';
import type { TestLifetime } from '../../testing/test-context.ts';

async function openWithCatalog(t: TestLifetime) {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const library = await openLibrary(t, { config: { webCatalog: standIn } });
  return { library, standIn };
}

test('returns tracks, albums and playlists for web catalog links once credentials are set', async (t) => {
  const { library } = await openWithCatalog(t);
  const [track, album] = [standInId('track', 5), standInId('album', 0)];
  const fetched = async (url: string) => (await library.ask(fetchCatalog, { body: { url } })).body.data;
  const single = await fetched(`https://open.spotify.com/intl-de/track/${track}?si=1`);
  assert.equal(single.type === 'track' && single.track.catalog_id, track);
  const found = await fetched(`spotify:album:${album}`);
  assert.equal(found.type === 'album' && found.tracks.length, 60);
  const mixed = await fetched(
    `https://open.spotify.com/playlist/${standInId('playlist', standInPlaylists.mixed)}`,
  );
  assert.deepEqual(mixed.type === 'playlist' && [mixed.tracks.length, mixed.skipped.length], [2, 4]);
});

test('finds a catalog track by id, in the studio first, and returns 404 for an unknown id', async (t) => {
  const { library } = await openWithCatalog(t);
  const [demo] = (await library.ask(searchCatalog, { query: { q: 'e' } })).body.data;
  assert.ok(demo);
  for (const catalog_id of [standInId('track', 7), demo.catalog_id]) {
    const reply = await library.ask(getCatalogTrack, { params: { catalog_id } });
    assert.equal(reply.body.data.catalog_id, catalog_id);
  }
  for (const catalog_id of [standInId('track', 9999), 'nothing', 'a b'])
    assert.equal((await library.ask(getCatalogTrack, { params: { catalog_id } })).status, 404, catalog_id);
  const alone = await openLibrary(t);
  const reply = await alone.ask(getCatalogTrack, { params: { catalog_id: standInId('track', 7) } });
  assert.deepEqual([reply.status, reply.error.code], [502, 'unauthorized']);
});

test('lists hits of the studio first, and only those while the web catalog is unavailable', async (t) => {
  const { library, standIn } = await openWithCatalog(t);
  const search = (q: string) => library.ask(searchCatalog, { query: { q } });
  const { data, meta } = (await search('amber')).body;
  assert.equal(data.length, 20);
  assert.ok(meta.total_count >= 120);
  await standIn.close();
  assert.equal((await search('e')).status, 200);
  const away = await search('amber harbour');
  assert.deepEqual([away.status, away.error.code], [502, 'catalog_error']);
});

test('serves covers of the web catalog itself', async (t) => {
  const { library } = await openWithCatalog(t);
  const url = `/catalog/covers/${standInId('track', 5)}`;
  const reply = await library.app.inject({ method: 'GET', url, headers: library.user.headers });
  assert.deepEqual([reply.statusCode, reply.headers['content-type']], [200, 'image/png']);
});
