import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '@stem-studio/contract/error-codes';
import {
  standInId,
  standInPlaylists,
  titleOf,
  trackObject,
} from '../../../testing/stand-ins/catalog-data.ts';
import { type StandInCatalog, startStandInCatalog } from '../../../testing/stand-ins/catalog-server.ts';
import type { TestLifetime } from '../../../testing/test-context.ts';
import { createCatalogClient } from './catalog.client.ts';
import { fetchCover } from './fetch-cover.ts';
import { createWebCatalog } from './web-catalog.ts';

/** Opens a web catalog on a stand-in, with a manual clock. */
async function openCatalog(t: TestLifetime, change: { clientSecret?: string } = {}) {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const clock = { nowMs: 0, now: () => new Date(0), monotonicMs: () => clock.nowMs };
  const client = createCatalogClient({ ...standIn, clock, ...change });
  const rules = { apiOrigin: standIn.origin };
  return {
    standIn,
    clock,
    catalog: createWebCatalog({
      client,
      host: 'open.spotify.com',
      fetchCover: (address) => fetchCover(address, rules),
    }),
  };
}

const tokensAsked = (standIn: StandInCatalog) =>
  standIn.requests.filter((path) => path === '/api/token').length;
const playlist = (name: keyof typeof standInPlaylists) => standInId('playlist', standInPlaylists[name]);
const refusal = (code: ErrorCode, pattern: RegExp) => (error: { code: ErrorCode; message: string }) => {
  assert.equal(error.code, code);
  assert.match(error.message, pattern);
  return true;
};

test('reads a playlist of 1,000 tracks completely and in order by following next', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  const found = await catalog.findPlaylist(playlist('thousand'));
  assert.equal(found?.entries.length, 1000);
  assert.deepEqual(found.skipped, []);
  found.entries.forEach(({ track }, at) => assert.equal(track.title, titleOf(at)));
  assert.equal(standIn.requests.filter((path) => path.includes('/items')).length, 20);
  assert.equal(tokensAsked(standIn), 1);
});

test('reads entries nested under item or under track', async (t) => {
  const { catalog } = await openCatalog(t);
  assert.equal((await catalog.findPlaylist(playlist('oldNesting')))?.entries.length, 120);
});

test('skips null, local, episode and malformed entries with the reason', async (t) => {
  const { catalog } = await openCatalog(t);
  const found = await catalog.findPlaylist(playlist('mixed'));
  assert.deepEqual(
    found?.entries.map(({ track }) => track.catalog_id),
    [standInId('track', 0), standInId('track', 1)],
  );
  assert.deepEqual(found.skipped, [
    { title: '', reason: 'is no longer in the catalog' },
    { title: 'My own demo', reason: "is a file on somebody's own device, not in the catalog" },
    { title: 'Talking, part 1', reason: 'is an episode, not a song' },
    { title: 'Broken', reason: 'the catalog describes it in an unknown form' },
  ]);
});

test("returns all fields of a track and adds an album's name and cover to its tracks", async (t) => {
  const { catalog } = await openCatalog(t);
  const track = (await catalog.findTrack(standInId('track', 63)))?.track;
  assert.deepEqual(track, {
    catalog_id: standInId('track', 63),
    title: titleOf(63),
    artist: 'Ferrum, Somebody',
    album: 'Album 1',
    album_art_url: `/catalog/covers/${standInId('track', 63)}`,
    duration: 23,
    duration_ms: 23_000,
    catalog_url: `https://open.spotify.com/track/${standInId('track', 63)}`,
    genre: '',
    isrc: 'XXSTD2600063',
    explicit: true,
  });
  const album = await catalog.findAlbum(standInId('album', 1));
  assert.equal(album?.entries.length, 60);
  assert.deepEqual(album.entries[3]?.track, { ...track, isrc: null });
});

test('returns null for an unknown item', async (t) => {
  const { catalog } = await openCatalog(t);
  assert.equal(await catalog.findTrack(standInId('track', 9999)), null);
  assert.equal(await catalog.findAlbum(standInId('album', 9999)), null);
  assert.equal(await catalog.findPlaylist(standInId('playlist', 9999)), null);
});

test('returns an empty collection for an empty playlist', async (t) => {
  const { catalog } = await openCatalog(t);
  assert.deepEqual((await catalog.findPlaylist(playlist('empty')))?.entries, []);
});

test('shares the application token, uses it for 3500 s and renews it after a 401', async (t) => {
  const { catalog, standIn, clock } = await openCatalog(t);
  const id = standInId('track', 1);
  await Promise.all([catalog.findTrack(id), catalog.findTrack(id), catalog.findAlbum(standInId('album', 0))]);
  assert.equal(tokensAsked(standIn), 1);
  clock.nowMs = 3_499_000;
  await catalog.findTrack(id);
  assert.equal(tokensAsked(standIn), 1);
  clock.nowMs = 3_501_000;
  await catalog.findTrack(id);
  assert.equal(tokensAsked(standIn), 2);
  standIn.expireTokens();
  assert.ok(await catalog.findTrack(id));
  assert.equal(tokensAsked(standIn), 3);
});

test('reports unauthorized when a new token or the credentials are rejected', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  standIn.mishaps.push({ status: 401, path: '/tracks/' }, { status: 401, path: '/tracks/' });
  await assert.rejects(
    catalog.findTrack(standInId('track', 1)),
    refusal('unauthorized', /refuses the token/),
  );
  const wrong = await openCatalog(t, { clientSecret: 'wrong' });
  await assert.rejects(
    wrong.catalog.findTrack(standInId('track', 1)),
    refusal('unauthorized', /does not accept the credentials .* CATALOG_CLIENT_ID/),
  );
});

test('waits for a short Retry-After and reports a long one', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  standIn.mishaps.push({ status: 429, headers: { 'retry-after': '1' }, path: '/tracks/' });
  assert.ok(await catalog.findTrack(standInId('track', 1)));
  standIn.mishaps.push({ status: 429, headers: { 'retry-after': '3600' }, path: '/tracks/' });
  await assert.rejects(catalog.findTrack(standInId('track', 1)), refusal('catalog_error', /wait 3600 s/));
  assert.equal(standIn.requests.filter((path) => path.includes('/tracks/')).length, 3);
});

test('sends a request up to three times on 5xx', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  standIn.mishaps.push({ status: 503, path: '/tracks/' }, { status: 502, path: '/tracks/' });
  assert.ok(await catalog.findTrack(standInId('track', 1)));
  for (let at = 0; at < 3; at++) standIn.mishaps.push({ status: 500, path: '/tracks/' });
  await assert.rejects(catalog.findTrack(standInId('track', 1)), refusal('catalog_error', /answered 500/));
});

test('reports a playlist that only its owner may read', async (t) => {
  const { catalog } = await openCatalog(t);
  await assert.rejects(
    catalog.findPlaylist(playlist('forbidden')),
    refusal('catalog_error', /only with the login of a user who owns it \(403\)/),
  );
});

test('reports HTML, looping or external pages and truncated replies as catalog errors with their reason', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  const expected: readonly [keyof typeof standInPlaylists, RegExp][] = [
    ['html', /not JSON/],
    ['circle', /in a circle/],
    ['elsewhere', /address that is not its own/],
    ['cut', /cannot be reached/],
  ];
  for (const [name, pattern] of expected)
    await assert.rejects(catalog.findPlaylist(playlist(name)), refusal('catalog_error', pattern), name);
  assert.ok(standIn.requests.length < 20, 'a circle ends');
});

test('uses the delivered entries of a list that announced more and reports the rest', async (t) => {
  const { catalog } = await openCatalog(t);
  const found = await catalog.findPlaylist(playlist('short'));
  assert.equal(found?.entries.length, 120);
  assert.deepEqual(found.skipped, [
    { title: '180 further entries', reason: 'the catalog announced 300 entries and delivered 120' },
  ]);
});

test('reports an empty or malformed reply and an impossible duration as a catalog error', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  const song = trackObject(1, standIn.origin);
  const lengths = [-5, 1e12, 1.5, '3 minutes', null].map((duration_ms) => ({ ...song, duration_ms }));
  for (const body of ['', 'null', '[]', '{}', '"a song"', ...lengths.map((one) => JSON.stringify(one))]) {
    standIn.mishaps.push({ status: 200, body, path: '/tracks/' });
    await assert.rejects(catalog.findTrack(standInId('track', 1)), { code: 'catalog_error' }, body);
  }
});

test('skips a track with an impossible duration in a list and keeps the others', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  const entry = (duration_ms: unknown) => ({
    is_local: false,
    item: { ...trackObject(1, standIn.origin), duration_ms },
  });
  const items = [entry(-1), entry(1e15), entry(20_000)];
  standIn.mishaps.push({
    status: 200,
    body: JSON.stringify({ items, next: null, total: 3 }),
    path: '/items',
  });
  const found = await catalog.findPlaylist(playlist('thousand'));
  assert.deepEqual(
    found?.entries.map(({ track }) => track.duration_ms),
    [20_000],
  );
  assert.deepEqual(
    found.skipped.map(({ reason }) => reason),
    Array(2).fill('the catalog describes it in an unknown form'),
  );
});

test('reports an unreachable catalog as a catalog error', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  await standIn.close();
  await assert.rejects(
    catalog.findTrack(standInId('track', 1)),
    refusal('catalog_error', /cannot be reached: ECONNREFUSED/),
  );
});

test('collects search hits from pages of ten, up to the thousandth', async (t) => {
  const { catalog, standIn } = await openCatalog(t);
  const page = await catalog.search('Nadia', 15, 25);
  assert.equal(page.totalCount, 200);
  assert.deepEqual(
    page.entries.map(({ track }) => track.title),
    Array.from({ length: 25 }, (_, at) => titleOf((15 + at) * 6 + 1)),
  );
  assert.equal(standIn.requests.filter((path) => path.includes('/search')).length, 3);
  assert.deepEqual(await catalog.search('Nadia', 0, 0), { entries: [], totalCount: 200 });
  assert.deepEqual((await catalog.search('Nadia', 200, 20)).entries, []);
  assert.deepEqual(await catalog.search('no such terms', 0, 20), { entries: [], totalCount: 0 });
});

test('fetches covers from the addresses returned by the catalog', async (t) => {
  const { catalog } = await openCatalog(t);
  const cover = await catalog.findCover(standInId('track', 61));
  assert.equal(cover?.mediaType, 'image/png');
  assert.ok((cover?.bytes.length ?? 0) > 100);
  assert.equal(await catalog.findCover(standInId('track', 9999)), null);
});
