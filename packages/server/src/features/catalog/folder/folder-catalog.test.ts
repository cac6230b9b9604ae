import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fetchCatalog, listCollections, searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { ffmpegMissing } from '../../../platform/process/ffmpeg.ts';
import { folderLink, type LibraryApp, makeFolder, openLibrary } from '../../../testing/library-steps.ts';
import {
  testFlac,
  testM4a,
  testMp3,
  testWav,
  tinyPng,
  writeTaggedFile,
} from '../../../testing/test-audio.ts';
import { createTestClock } from '../../../testing/test-clock.ts';
import type { TestLifetime } from '../../../testing/test-context.ts';
import { demoAlbumUrl } from '../demo/demo-album.ts';

async function openFolder(t: TestLifetime) {
  const folder = await makeFolder(t);
  const clock = createTestClock();
  const library = await openLibrary(t, { config: { catalogFolder: folder }, clock });
  return { folder, clock, library, at: (name: string) => join(folder, name) };
}

async function collection(library: LibraryApp, type: 'album' | 'playlist', name: string) {
  const url = folderLink(type, name);
  const { data } = (await library.ask(fetchCatalog, { body: { url } })).body;
  return data.type === 'track' ? assert.fail(`${url} led to a track`) : data;
}

async function titlesOf(library: LibraryApp, query: string): Promise<string[]> {
  const found = await library.ask(searchCatalog, { query: { q: query } });
  return found.body.data.map((track) => track.title);
}

test('reads WAV, MP3 and FLAC files with their tags, or their file names where tags are missing', async (t) => {
  const { library, at } = await openFolder(t);
  const tags = { title: 'Tide', artist: 'Ebb', album: 'Moon', genre: 'Ambient', isrc: 'DEA123456789' };
  await writeTaggedFile(at('a.flac'), await testFlac({ seconds: 2 }), tags, tinyPng);
  await writeTaggedFile(at('b.mp3'), await testMp3(), { title: 'Pulse', artist: 'Ebb' });
  await writeFile(at('03 Some Band - Blue_Hour.wav'), await testWav());

  const found = await library.ask(searchCatalog, { query: { q: 'Ebb' } });
  assert.deepEqual(
    found.body.data.map((track) => track.title),
    ['Pulse', 'Tide'],
  );
  const tide = found.body.data[1];
  assert.deepEqual(
    [tide?.album, tide?.genre, tide?.isrc, tide?.duration, tide?.duration_ms],
    ['Moon', 'Ambient', 'DEA123456789', 2, 2000],
  );
  assert.equal(tide?.album_art_url, `/catalog/covers/${tide?.catalog_id}`);

  const [named] = (await library.ask(searchCatalog, { query: { q: 'blue' } })).body.data;
  assert.deepEqual([named?.title, named?.artist, named?.album_art_url], ['Blue Hour', 'Some Band', null]);
  const single = await library.ask(fetchCatalog, { body: { url: named?.catalog_url } });
  assert.deepEqual(single.body.data, { type: 'track', track: named });
});

test('groups files by album and album artist, in the order of discs and tracks', async (t) => {
  const { library, at } = await openFolder(t);
  const flac = await testFlac({ seconds: 0.2 });
  const album = { album: 'Moon', albumArtist: 'Ebb' };
  const songs: readonly [string, string, string, string][] = [
    ['a.flac', 'Last', '2', '1'],
    ['b.flac', 'Second', '1', '2'],
    ['c.flac', 'First', '1', '1'],
  ];
  for (const [name, title, discNumber, trackNumber] of songs) {
    await writeTaggedFile(at(name), flac, { ...album, title, discNumber, trackNumber, artist: title });
  }
  await writeTaggedFile(at('d.flac'), flac, { album: 'Moon', albumArtist: 'Others', title: 'Elsewhere' });
  const found = await collection(library, 'album', 'Ebb\0Moon');
  assert.equal(found.title, 'Moon');
  assert.deepEqual(
    found.tracks.map((track) => track.title),
    ['First', 'Second', 'Last'],
  );
});

test('lists a folder with one album of several artists as one album', async (t) => {
  const { library, at } = await openFolder(t);
  const flac = await testFlac({ seconds: 0.2 });
  await mkdir(at('hits'));
  for (const [index, artist] of ['Ebb', 'Flow', 'Tide'].entries()) {
    const tags = { artist, album: 'Summer Hits', title: `Song ${index}`, trackNumber: String(3 - index) };
    await writeTaggedFile(at(`hits/${artist}.flac`), flac, tags);
  }
  const { data } = (await library.ask(listCollections, { query: { q: 'summer' } })).body;
  assert.deepEqual(
    data.map(({ type, title, artist, track_count }) => [type, title, artist, track_count]),
    [['album', 'Summer Hits', '', 3]],
  );
  const found = await library.ask(fetchCatalog, { body: { url: data[0]?.catalog_url } });
  assert.ok(found.body.data.type === 'album');
  assert.deepEqual(
    found.body.data.tracks.map((track) => track.title),
    ['Song 2', 'Song 1', 'Song 0'],
  );
});

test('keeps the order of a playlist and gives the reason for each skipped entry', async (t) => {
  const { library, at } = await openFolder(t);
  await mkdir(at('lists'));
  await writeFile(at('one.wav'), await testWav({ seconds: 0.2 }));
  await writeFile(at('two.wav'), await testWav({ seconds: 0.2 }));
  await writeFile(at('apple.m4a'), testM4a());
  const lines = [
    '#EXTM3U',
    '#PLAYLIST:Evening',
    '..\\two.wav',
    '../gone.wav',
    '#EXTINF:3,A secret',
    '../../etc/passwd',
    '/etc/passwd',
    'https://example.org/stream.mp3',
    '../apple.m4a',
    '../one.wav',
  ];
  await writeFile(at('lists/evening.m3u8'), `\uFEFF${lines.join('\r\n')}\r\n`);
  const found = await collection(library, 'playlist', 'lists/evening.m3u8');
  assert.equal(found.title, 'Evening');
  assert.deepEqual(
    found.tracks.map((track) => track.title),
    ['two', 'one'],
  );
  assert.deepEqual(found.skipped, [
    { title: 'gone.wav', reason: 'is not in the catalog folder' },
    { title: 'A secret', reason: 'lies outside of the catalog folder' },
    { title: 'passwd', reason: 'lies outside of the catalog folder' },
    { title: 'stream.mp3', reason: 'lies outside of the catalog folder' },
    { title: 'apple', reason: ffmpegMissing('m4a') },
  ]);
});

test('lists the whole folder first, then albums and playlists, with importable links and a search', async (t) => {
  const { library, at, folder } = await openFolder(t);
  const flac = await testFlac({ seconds: 0.2 });
  for (const [name, title] of [
    ['a.flac', 'Tide'],
    ['b.flac', 'Foam'],
  ] as const)
    await writeTaggedFile(
      at(name),
      flac,
      { title, artist: 'Ebb', album: 'Moon', albumArtist: 'Ebb' },
      tinyPng,
    );
  await writeTaggedFile(at('c.flac'), flac, { title: 'One', artist: 'Flow', album: 'Moon 100%' });
  await writeFile(at('evening.m3u8'), '#EXTM3U\na.flac\nc.flac\n');
  const list = async (query: { q?: string; page?: string; page_size?: string }) => {
    const { body } = await library.ask(listCollections, { query });
    return body;
  };
  const all = await list({});
  const found = all.data.filter(({ catalog_url }) => catalog_url !== demoAlbumUrl);
  assert.deepEqual(
    found.map(({ type, title, artist, track_count }) => [type, title, artist, track_count]),
    [
      ['playlist', basename(folder), '', 3],
      ['playlist', 'evening', '', 2],
      ['album', 'Moon', 'Ebb', 2],
      ['album', 'Moon 100%', 'Flow', 1],
    ],
  );
  assert.match(found[2]?.album_art_url ?? '', /^\/catalog\/covers\//);
  for (const { catalog_url, track_count, type } of found) {
    const { data } = (await library.ask(fetchCatalog, { body: { url: catalog_url } })).body;
    assert.ok(data.type !== 'track' && data.type === type && data.tracks.length === track_count);
  }
  assert.deepEqual(
    (await list({ q: '100% moon' })).data.map(({ title }) => title),
    ['Moon 100%'],
  );
  const pages = [];
  for (let page = 1; page <= 3; page++)
    pages.push(...(await list({ page: String(page), page_size: '2' })).data.map(({ title }) => title));
  assert.deepEqual(
    pages,
    all.data.map(({ title }) => title),
  );
  assert.equal(all.meta.total_count, all.data.length);
});

test('notices changes of the folder when the last scan is more than 15 s old', async (t) => {
  const { library, clock, at } = await openFolder(t);
  await writeFile(at('first.wav'), await testWav({ seconds: 0.2 }));
  await writeFile(at('list.m3u8'), 'first.wav\n');
  assert.deepEqual(await titlesOf(library, 'wav'), ['first']);
  await writeFile(at('second.wav'), await testWav({ seconds: 0.2 }));
  assert.deepEqual(await titlesOf(library, 'wav'), ['first']);
  clock.advance(16);
  assert.deepEqual(await titlesOf(library, 'wav'), ['first', 'second']);

  await rm(at('first.wav'));
  await writeTaggedFile(at('second.wav'), await testWav({ seconds: 0.4 }), { title: 'Renamed' });
  await writeFile(at('list.m3u8'), '#PLAYLIST:Changed\nsecond.wav\n');
  clock.advance(16);
  assert.deepEqual(await titlesOf(library, 'wav'), ['Renamed']);
  assert.equal((await collection(library, 'playlist', 'list.m3u8')).title, 'Changed');
  await rm(at('list.m3u8'));
  clock.advance(16);
  const url = folderLink('playlist', 'list.m3u8');
  assert.equal((await library.ask(fetchCatalog, { body: { url } })).status, 404);
});

test('does not follow links out of the folder and ignores hidden files', async (t) => {
  const { library, at } = await openFolder(t);
  const outside = await makeFolder(t);
  await writeFile(join(outside, 'secret.wav'), await testWav({ seconds: 0.2 }));
  await symlink(join(outside, 'secret.wav'), at('linked.wav'));
  await symlink(outside, at('album'));
  await symlink(at('loop.wav'), at('loop.wav'));
  await mkdir(at('.hidden'));
  await writeFile(at('.hidden/song.wav'), await testWav({ seconds: 0.2 }));
  await writeFile(at('inside.wav'), await testWav({ seconds: 0.2 }));
  await symlink(at('inside.wav'), at('alias.wav'));
  assert.deepEqual(await titlesOf(library, 'wav'), ['alias', 'inside']);
});

test('keeps the other files available when one file is invalid', async (t) => {
  const { library, at } = await openFolder(t);
  await writeFile(at('empty.wav'), '');
  await writeFile(at('text.mp3'), 'no music at all');
  await mkdir(at('folder.wav'));
  const odd = { title: 'Odd', album: 'Odd', trackNumber: '99999999999', discNumber: '-4' };
  await writeTaggedFile(at('numbers.flac'), await testFlac({ seconds: 0.2 }), odd);
  await writeTaggedFile(at('control.flac'), await testFlac({ seconds: 0.2 }), {
    title: 'Bell\u0007and more',
  });
  await writeFile(at('good.wav'), await testWav({ seconds: 0.2 }));
  const found = await library.ask(searchCatalog, { query: { q: 'a', page_size: 100 } });
  assert.equal(found.status, 200);
  const titles = await titlesOf(library, 'flac');
  assert.deepEqual(titles.toSorted(), ['Bell and more', 'Odd']);
  assert.deepEqual(await titlesOf(library, 'good'), ['good']);
});

test('returns 502 catalog_error for an unreadable catalog folder', async (t) => {
  const { library, folder } = await openFolder(t);
  await rm(folder, { recursive: true });
  const found = await library.ask(searchCatalog, { query: { q: 'anything' } });
  assert.equal(found.status, 502);
  assert.equal(found.error.code, 'catalog_error');
});
