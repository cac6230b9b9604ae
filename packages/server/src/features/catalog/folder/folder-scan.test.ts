import assert from 'node:assert/strict';
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  fetchCatalog,
  getCatalogScan,
  importCatalog,
  searchCatalog,
  startCatalogScan,
} from '@stem-studio/contract/endpoints/catalog';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { catalogChannel } from '@stem-studio/contract/events/catalog';
import { childProcesses, holdStill } from '../../../testing/child-processes.ts';
import { eventually } from '../../../testing/eventually.ts';
import { flacWithBlocks, manyComments } from '../../../testing/hostile-tags.ts';
import {
  folderLink,
  type LibraryApp,
  listenTo,
  makeFolder,
  openLibrary,
} from '../../../testing/library-steps.ts';
import { testFlac, testWav } from '../../../testing/test-audio.ts';
import { createTestClock } from '../../../testing/test-clock.ts';
import { drainJobs, type TestLifetime } from '../../../testing/test-context.ts';
import { findScan, holdScanLock } from '../catalog-scans.store.ts';

async function openFolder(t: TestLifetime) {
  const folder = await makeFolder(t);
  const clock = createTestClock();
  const library = await openLibrary(t, { config: { catalogFolder: folder }, clock });
  return { folder, clock, library, at: (name: string) => join(folder, name) };
}

async function titlesOf(library: LibraryApp, q: string): Promise<string[]> {
  const found = await library.ask(searchCatalog, { query: { q, page_size: 100 } });
  return found.body.data.map(({ title }) => title);
}

async function scanOf(library: LibraryApp) {
  const scan = (await library.ask(getCatalogScan)).body.data;
  assert.ok(scan);
  return scan;
}

/** Waits, without an API request, until the running scan has ended. */
async function endedScan(library: LibraryApp) {
  await eventually(
    () => findScan(library.context.db),
    (row) => row !== undefined && row.finished_at !== null,
  );
  return scanOf(library);
}

test('deletes 70,000 vanished files, more than one statement has parameters', async (t) => {
  const { library, at } = await openFolder(t);
  await writeFile(at('kept.wav'), await testWav({ seconds: 0.1 }));
  const rows = Array.from({ length: 70_000 }, (_, index) => ({
    catalog_id: `gone-${index}`,
    path: `gone/${index}.wav`,
    bytes: 1,
    modified_ms: 1,
    title: `${index}`,
    artist: '',
    album: '',
    album_id: null,
    disc_number: 0,
    track_number: 0,
    genre: '',
    isrc: null,
    duration_ms: 0,
    has_cover: false,
    unusable: null,
    problem: null,
  }));
  for (let from = 0; from < rows.length; from += 2000)
    await library.context.db
      .insertInto('catalog_files')
      .values(rows.slice(from, from + 2000))
      .execute();
  assert.deepEqual(await titlesOf(library, 'wav'), ['kept']);
  // A busy machine may still be deleting when the search replies.
  assert.equal((await endedScan(library)).status, 'completed');
});

test('does not make a request wait for a long scan and publishes the progress', async (t) => {
  const { library, at, clock } = await openFolder(t);
  const wav = await testWav({ seconds: 0.05 });
  await writeFile(at('known.wav'), wav);
  assert.deepEqual(await titlesOf(library, 'wav'), ['known']);
  const messages = listenTo(library.context, catalogChannel.topic);
  for (let index = 0; index < 120; index++) await writeFile(at(`new ${index}.wav`), wav);
  // The reading processes are suspended, so that the scan cannot end before the request.
  const readers = await childProcesses('inspect.process.ts');
  for (const reader of readers) holdStill(reader);
  t.after(() => resume(readers));
  clock.advance(16);
  assert.ok((await titlesOf(library, 'wav')).includes('known'));
  const running = await scanOf(library);
  assert.equal(running.status, 'running');
  resume(readers);
  const ended = await endedScan(library);
  assert.deepEqual([ended.found, ended.changed, ended.read, ended.failed], [121, 120, 120, 0]);
  assert.equal((await titlesOf(library, 'new')).length, 100);
  const { scan_progress } = catalogChannel.pushes;
  const last = await eventually(
    () => scan_progress.parse(messages.at(-1)?.payload).scan,
    ({ status }) => status === 'completed',
  );
  assert.equal(last.read, 120);
});

test('continues an interrupted scan and reads only the remaining files', async (t) => {
  const { library, at } = await openFolder(t);
  const wav = await testWav({ seconds: 0.05 });
  for (let index = 0; index < 30; index++) await writeFile(at(`song ${index}.wav`), wav);
  // Starts and stops the background tasks of all features.
  await library.sweep();
  assert.equal((await scanOf(library)).status, 'interrupted');
  assert.equal((await titlesOf(library, 'song')).length, 30);
  await library.ask(startCatalogScan);
  const again = await endedScan(library);
  assert.deepEqual([again.found, again.changed], [30, 0]);
});

test('answers requests from stored data while another process scans', async (t) => {
  const { library, at, clock } = await openFolder(t);
  await writeFile(at('one.wav'), await testWav({ seconds: 0.1 }));
  assert.deepEqual(await titlesOf(library, 'wav'), ['one']);
  await writeFile(at('two.wav'), await testWav({ seconds: 0.1 }));
  clock.advance(16);
  await holdScanLock(library.context.db, async () => {
    assert.deepEqual(await titlesOf(library, 'wav'), ['one']);
  });
  clock.advance(16);
  assert.deepEqual(await titlesOf(library, 'wav'), ['one', 'two']);
});

test('skips a file with tags beyond the limits, with the reason, until the file changes', async (t) => {
  const { library, at, clock, folder } = await openFolder(t);
  const flac = await testFlac({ seconds: 0.2 });
  await writeFile(at('bad.flac'), flacWithBlocks(flac, [{ type: 4, body: manyComments(20_000) }]));
  await writeFile(at('good.flac'), flac);
  assert.equal((await titlesOf(library, 'flac')).length, 2);
  const first = await scanOf(library);
  assert.deepEqual([first.read, first.failed], [2, 1]);
  clock.advance(16);
  assert.equal((await titlesOf(library, 'flac')).length, 2);
  assert.equal((await scanOf(library)).changed, 0);
  const whole = async () => {
    const { data } = (await library.ask(fetchCatalog, { body: { url: folderLink('playlist', '.') } })).body;
    return data.type === 'playlist' ? data : assert.fail(`${folder} is no playlist`);
  };
  assert.deepEqual((await whole()).skipped, [
    { title: 'bad', reason: 'The tags could not be read: it has 20,000 comments (at most 10,000)' },
  ]);
  await writeFile(at('bad.flac'), flac);
  await utimes(at('bad.flac'), 1, 1);
  clock.advance(16);
  assert.deepEqual((await whole()).skipped, []);
});

test('shows a file name that is not UTF-8 as text, finds it and imports it', async (t) => {
  const { library, folder } = await openFolder(t);
  await mkdir(join(folder, 'disc'));
  const name = Buffer.from('disc/Bj\xf6rk - J\xf3ga.wav', 'latin1');
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), name]), await testWav({ seconds: 0.3 }));
  const [found] = (await library.ask(searchCatalog, { query: { q: 'wav' } })).body.data;
  assert.deepEqual([found?.artist, found?.title], ['Björk', 'Jóga']);
  const { items } = (await library.ask(importCatalog, { body: { url: found?.catalog_url } })).body.data as {
    items: { track_id: string }[];
  };
  await drainJobs(library.context);
  const track = (await library.ask(getTrack, { params: { id: items[0]?.track_id ?? '' } })).body.data;
  assert.deepEqual([track.download?.error, track.duration_ms], [null, 300]);
});

test('does not import a file that was replaced by a link out of the folder after the scan', async (t) => {
  const { library, at } = await openFolder(t);
  const outside = await makeFolder(t);
  await writeFile(join(outside, 'secret.wav'), await testWav({ seconds: 0.3 }));
  await writeFile(at('song.wav'), await testWav({ seconds: 0.2 }));
  const url = await library.linkOf('song');
  await rm(at('song.wav'));
  await symlink(join(outside, 'secret.wav'), at('song.wav'));
  const { items } = (await library.ask(importCatalog, { body: { url } })).body.data;
  await drainJobs(library.context);
  const track = (await library.ask(getTrack, { params: { id: items[0]?.track_id ?? '' } })).body.data;
  assert.match(track.download?.error ?? '', /no longer in the catalog folder/);
  assert.deepEqual(await library.storedFiles(), []);
});

function resume(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // The process has ended.
    }
  }
}
