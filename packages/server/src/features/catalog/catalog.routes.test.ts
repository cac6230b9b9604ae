import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fetchCatalog, importCatalog, searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { downloadTrack } from '@stem-studio/contract/endpoints/downloads';
import { listTracks } from '@stem-studio/contract/endpoints/tracks';
import { demoSongs } from '@stem-studio/dsp/synth/demo-songs';
import { makeFolder, openLibrary } from '../../testing/library-steps.ts';
import { testFlac, testM4a, testWav, tinyPng, writeTaggedFile } from '../../testing/test-audio.ts';
import { demoAlbumUrl } from './demo/demo-album.ts';

test('rejects an invalid link with 400 and a web catalog link with 502, and creates no track or job', async (t) => {
  const library = await openLibrary(t);
  const web = '4uLU6hMCjMI75M1A2tKUQC';
  const expected: readonly [string, number, string][] = [
    ['not a link', 400, 'invalid_url'],
    ['https://example.org/track/1', 400, 'invalid_url'],
    ['catalog:artist:x', 400, 'invalid_url'],
    ['catalog:track:a/b', 400, 'invalid_url'],
    [`https://open.spotify.com/intl-de/track/${web}?si=1`, 502, 'unauthorized'],
    [`spotify:album:${web}`, 502, 'unauthorized'],
    ['https://spotify.link/abc', 502, 'unauthorized'],
    ['catalog:track:nothing', 404, 'NOT_FOUND'],
    ['catalog:album:nothing', 404, 'NOT_FOUND'],
    ['catalog:playlist:nothing', 404, 'NOT_FOUND'],
  ];
  const other = await library.registerUser();
  for (const [url, status, code] of expected) {
    const replies = [
      await library.ask(fetchCatalog, { body: { url } }),
      await library.ask(importCatalog, { body: { url } }),
      await library.ask(downloadTrack, { body: { url } }, other),
    ];
    for (const reply of replies) assert.deepEqual([reply.status, reply.error.code], [status, code], url);
  }
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 0);
});

test('names the site of a link that is not of the catalog', async (t) => {
  const library = await openLibrary(t);
  const reply = await library.ask(importCatalog, { body: { url: 'https://youtu.be/dQw4w9WgXcQ' } });
  assert.deepEqual(
    [reply.status, reply.error.code, reply.error.error],
    [400, 'invalid_url', 'YouTube links are not supported. Connect a catalog or upload the file.'],
  );
});

test('rejects a missing url, a wrong quality and an unknown field with 422 and details by field', async (t) => {
  const library = await openLibrary(t);
  const bodies: readonly [unknown, string][] = [
    [{}, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: demoAlbumUrl, quality: 'best' }, 'quality'],
    [{ url: demoAlbumUrl, speed: 1 }, 'speed'],
  ];
  for (const [body, field] of bodies) {
    const reply = await library.ask(importCatalog, { body });
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(reply.error.details ?? {}), [field]);
  }
});

test('rejects a format that cannot be decoded with 422 and the rule', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'apple.m4a'), testM4a());
  const library = await openLibrary(t, { config: { catalogFolder: folder } });
  const url = await library.linkOf('apple');
  const reply = await library.ask(importCatalog, { body: { url } });
  assert.equal(reply.status, 422);
  assert.equal(reply.error.code, 'AUDIO_NOT_ACCEPTED');
  assert.match(reply.error.error, /M4A files must be decoded by ffmpeg/);
  assert.deepEqual(reply.error.details, {});
});

test('returns the demo album with its songs and finds each by its own link', async (t) => {
  const library = await openLibrary(t);
  const { data } = (await library.ask(fetchCatalog, { body: { url: demoAlbumUrl } })).body;
  if (data.type !== 'album') assert.fail(data.type);
  assert.deepEqual(
    data.tracks.map((track) => track.title),
    demoSongs.map((song) => song.title),
  );
  assert.deepEqual(data.skipped, []);
  for (const track of data.tracks) {
    assert.ok(track.duration >= 60);
    const single = await library.ask(fetchCatalog, { body: { url: track.catalog_url } });
    assert.deepEqual(single.body.data, { type: 'track', track });
  }
});

test('pages a search through the demo album and then the folder, with literal search terms', async (t) => {
  const folder = await makeFolder(t);
  const names = ['100% pure', 'a_b', 'back\\slash', 'axb', '100 pure'];
  for (const [index, title] of names.entries()) {
    const path = join(folder, `song ${index}.flac`);
    await writeTaggedFile(path, await testFlac({ seconds: 0.1 }), { title, artist: 'Everyone', genre: 'x' });
  }
  const library = await openLibrary(t, { config: { catalogFolder: folder } });
  const search = async (q: string, page = 1, page_size = 20) =>
    (await library.ask(searchCatalog, { query: { q, page, page_size } })).body;
  const titles = async (q: string) => (await search(q)).data.map((track) => track.title);
  assert.deepEqual(await titles('0%'), ['100% pure']);
  assert.deepEqual(await titles('a_b'), ['a_b']);
  assert.deepEqual(await titles('k\\s'), ['back\\slash']);
  assert.deepEqual(await titles('EVERYONE pure'), ['100% pure', '100 pure']);

  const all = await search('e');
  const total = demoSongs.length + names.length;
  assert.equal(all.meta.total_count, total);
  const paged = [];
  for (const page of [1, 2, 3, 4]) {
    const { data, meta } = await search('e', page, 2);
    assert.deepEqual(meta, { page, page_size: 2, total_count: total, total_pages: 4 });
    paged.push(...data);
  }
  assert.deepEqual(paged, all.data);
  assert.deepEqual((await search('e', 9, 2)).data, []);
  for (const q of ['', ' ', 'x'.repeat(201)])
    assert.equal((await library.ask(searchCatalog, { query: { q } })).status, 422);
});

test('serves covers of demo songs and of files to every logged-in user', async (t) => {
  const folder = await makeFolder(t);
  await writeTaggedFile(
    join(folder, 'with.flac'),
    await testFlac({ seconds: 0.1 }),
    { title: 'With' },
    tinyPng,
  );
  await writeFile(join(folder, 'without.wav'), await testWav({ seconds: 0.1 }));
  const library = await openLibrary(t, { config: { catalogFolder: folder } });
  const { headers } = library.user;
  const coverOf = async (query: string) => {
    const [track] = (await library.ask(searchCatalog, { query: { q: query } })).body.data;
    const url = `/catalog/covers/${track?.catalog_id}`;
    return { url, reply: await library.app.inject({ method: 'GET', url, headers }) };
  };
  const inside = await coverOf('with.flac');
  assert.equal(inside.reply.statusCode, 200);
  assert.equal(inside.reply.headers['content-type'], 'image/png');
  assert.deepEqual(inside.reply.rawPayload, tinyPng);
  const { data } = (await library.ask(fetchCatalog, { body: { url: demoAlbumUrl } })).body;
  const url = (data.type === 'album' && data.tracks[0]?.album_art_url) || '';
  const demo = await library.app.inject({ method: 'GET', url, headers });
  assert.deepEqual([demo.statusCode, demo.headers['content-type']], [200, 'image/png']);
  assert.equal((await coverOf('without')).reply.statusCode, 404);
  assert.equal((await library.app.inject({ method: 'GET', url: inside.url })).statusCode, 401);
  for (const wrong of ['nothing', '..%2f..', 'a'.repeat(65)]) {
    const reply = await library.app.inject({ method: 'GET', url: `/catalog/covers/${wrong}`, headers });
    assert.equal(reply.statusCode, 404, wrong);
  }
});
