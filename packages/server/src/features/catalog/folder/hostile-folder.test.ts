import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fetchCatalog, searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { TagLib } from 'taglib-wasm';
import { folderLink, makeFolder, openLibrary } from '../../../testing/library-steps.ts';
import { testFlac, testWav } from '../../../testing/test-audio.ts';

test('keeps other files available beside an impossible track number and a binary playlist', async (t) => {
  const folder = await makeFolder(t);
  const library = await openLibrary(t, { config: { catalogFolder: folder } });
  await writeFile(join(folder, 'fine.wav'), await testWav());
  const absurd = join(folder, 'absurd.flac');
  await writeFile(absurd, await testFlac({ seconds: 1 }));
  const tags = await TagLib.initialize();
  await tags.edit(absurd, (file) => {
    file.setProperty('trackNumber', '99999999999');
    file.setProperty('discNumber', '4294967296');
  });
  const lines = [
    '#PLAYLIST:My\0list',
    '#EXTINF:1,One\0song',
    'fine.wav',
    'file:///gone%00.mp3',
    'go\0ne.wav',
  ];
  await writeFile(join(folder, 'odd.m3u8'), lines.join('\n'));

  const found = await library.ask(searchCatalog, { query: { q: 'fine' } });
  assert.deepEqual(
    found.body.data.map((track) => track.title),
    ['fine'],
  );
  assert.equal((await library.ask(searchCatalog, { query: { q: 'absurd' } })).body.data.length, 1);
  const { data } = (await library.ask(fetchCatalog, { body: { url: folderLink('playlist', 'odd.m3u8') } }))
    .body;
  assert.ok(data.type === 'playlist');
  assert.equal(data.title, 'My list');
  assert.deepEqual(
    data.skipped.map(({ title }) => title),
    ['gone .mp3', 'go ne.wav'],
  );
});
