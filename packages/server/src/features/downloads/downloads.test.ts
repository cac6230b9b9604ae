import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { importCatalog, previewImport } from '@stem-studio/contract/endpoints/catalog';
import { downloadTrack, getDownloadJob } from '@stem-studio/contract/endpoints/downloads';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack, getTrack, listTracks } from '@stem-studio/contract/endpoints/tracks';
import { deleteMarkedFolders } from '../../platform/files/folders-to-delete.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  folderLink,
  type LibraryApp,
  listenTo,
  makeFolder,
  messagesToTheEnd,
  openLibrary,
  untilJob,
} from '../../testing/library-steps.ts';
import { testFlac, testM4a, testWav, writeTaggedFile } from '../../testing/test-audio.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { drainJobs, type TestOverrides } from '../../testing/test-context.ts';

/** Opens a library on a folder with one track in it. */
async function openSong(t: TestContext, seconds = 0.3, overrides: TestOverrides = {}) {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds }));
  const config = { ...overrides.config, catalogFolder: folder };
  const library = await openLibrary(t, { ...overrides, config });
  return { folder, library, url: await library.linkOf('song') };
}

async function jobOf(library: LibraryApp, id: string | null | undefined) {
  return (await library.ask(getDownloadJob, { params: { id: id ?? '' } })).body.data;
}

test('queues, downloads, processes and completes a download with monotonic progress', async (t) => {
  const { library, url } = await openSong(t);
  const received = listenTo(library.context, `library:${library.user.id}`);
  const accepted = await library.ask(downloadTrack, { body: { url } });
  assert.equal(accepted.status, 201);
  const { job_id, track_id, status } = accepted.body.data;
  assert.equal(status, 'queued');
  const queued = await jobOf(library, job_id);
  assert.deepEqual([queued.output_path, queued.file_size, queued.quality], [null, null, 'high']);
  await drainJobs(library.context);
  const job = await jobOf(library, job_id);
  assert.deepEqual([job.status, job.progress, job.track_id], ['completed', 100, track_id]);
  assert.match(job.output_path ?? '', /^\/files\/downloads\/[0-9a-f-]{36}\/high\.mp3$/);
  assert.ok((await library.storedFiles()).includes(job.output_path?.slice('/files/'.length) ?? ''));

  const messages = await messagesToTheEnd(received, job_id);
  const states = messages.map((payload) => payload['status']);
  assert.deepEqual([...new Set(states)], ['queued', 'downloading', 'processing', 'completed']);
  const progress = messages.map((payload) => Number(payload['progress']));
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    received.map(({ event }) => event).filter((event) => event !== 'job_progress'),
    ['track_created', 'track_updated'],
  );
});

test('returns 200 with the existing track for a repeated import and starts a new download for another quality', async (t) => {
  const { library, url } = await openSong(t);
  const first = await library.ask(importCatalog, { body: { url } });
  const [item] = first.body.data.items;
  assert.deepEqual(
    [first.status, first.body.data.type, item?.existing, item?.status],
    [201, 'track', false, 'queued'],
  );
  const waiting = await library.ask(importCatalog, { body: { url } });
  assert.equal(waiting.status, 200);
  assert.deepEqual(waiting.body.data.items, [{ ...item, existing: true }]);
  await drainJobs(library.context);
  const there = await library.ask(importCatalog, { body: { url } });
  assert.deepEqual([there.status, there.body.data.items[0]?.status], [200, 'completed']);
  const better = await library.ask(downloadTrack, { body: { url, quality: 'lossless' } });
  assert.deepEqual([better.status, better.body.data.track_id], [201, item?.track_id]);
  await drainJobs(library.context);
  const { data } = (await library.ask(listTracks)).body;
  assert.equal(data.length, 1);
  assert.match(data[0]?.audio?.file_path ?? '', /lossless\.flac$/);
});

test('starts a second download for another quality while one runs, and the track plays the one requested last', async (t) => {
  const { library, url } = await openSong(t);
  const request = async (quality: string) => library.ask(downloadTrack, { body: { url, quality } });
  const first = await request('high');
  const other = await request('lossless');
  const again = await request('lossless');
  assert.deepEqual([first.status, other.status, again.status], [201, 201, 200]);
  assert.notEqual(other.body.data.job_id, first.body.data.job_id);
  assert.deepEqual(again.body.data, other.body.data);
  await drainJobs(library.context);
  for (const [id, name] of [
    [first.body.data.job_id, 'high.mp3'],
    [other.body.data.job_id, 'lossless.flac'],
  ] as const) {
    const job = await jobOf(library, id);
    assert.deepEqual([job.status, job.error], ['completed', null]);
    assert.ok(job.output_path?.endsWith(`/${name}`), job.output_path ?? '');
  }
  const [track] = (await library.ask(listTracks)).body.data;
  assert.match(track?.audio?.file_path ?? '', /lossless\.flac$/);
});

test('stores identical bytes of two users once and gives each user a track', async (t) => {
  const { library, url } = await openSong(t);
  const other = await library.registerUser();
  for (const as of [library.user, other]) {
    await library.ask(importCatalog, { body: { url } }, as);
    await drainJobs(library.context);
  }
  await deleteMarkedFolders(library.context);
  const stored = await library.storedFiles();
  assert.equal(stored.length, 3, String(stored));
  const [mine] = (await library.ask(listTracks)).body.data;
  const [theirs] = (await library.ask(listTracks, {}, other)).body.data;
  assert.notEqual(mine?.id, theirs?.id);
  assert.equal(mine?.audio?.file_path, theirs?.audio?.file_path);
});

test('imports an album track by track, reports skipped entries and rejects it as a single download', async (t) => {
  const folder = await makeFolder(t);
  const flac = await testFlac({ seconds: 0.2 });
  for (const title of ['One', 'Two'])
    await writeTaggedFile(join(folder, `${title}.flac`), flac, { title, album: 'Both', artist: 'Ebb' });
  await writeFile(join(folder, 'apple.m4a'), testM4a());
  await writeFile(join(folder, 'all.m3u8'), 'One.flac\napple.m4a\ngone.wav\nTwo.flac\n');
  const library = await openLibrary(t, { config: { catalogFolder: folder } });
  const album = folderLink('album', 'Ebb\0Both');
  const refused = await library.ask(downloadTrack, { body: { url: album } });
  assert.equal(refused.status, 422);
  assert.match(refused.error.details?.['url']?.[0] ?? '', /link to one track \(got one to an album\)/);

  const imported = await library.ask(importCatalog, { body: { url: album } });
  assert.deepEqual([imported.status, imported.body.data.items.length], [201, 2]);
  const playlist = folderLink('playlist', 'all.m3u8');
  const again = await library.ask(importCatalog, { body: { url: playlist, quality: 'high' } });
  assert.deepEqual([again.status, again.body.data.items.length], [200, 2]);
  assert.deepEqual(
    again.body.data.skipped.map((item) => item.title),
    ['gone.wav', 'apple'],
  );
});

test('previews the songs of an album with those in the library, and imports only the chosen ones', async (t) => {
  const folder = await makeFolder(t);
  const flac = await testFlac({ seconds: 0.2 });
  for (const title of ['One', 'Two', 'Three'])
    await writeTaggedFile(join(folder, `${title}.flac`), flac, { title, album: 'Three', artist: 'Ebb' });
  const library = await openLibrary(t, { config: { catalogFolder: folder } });
  const url = folderLink('album', 'Ebb\0Three');
  const preview = async () => (await library.ask(previewImport, { body: { url } })).body.data;
  const { item, library: known } = await preview();
  assert.ok(item.type === 'album');
  assert.deepEqual([item.tracks.length, known], [3, []]);
  const chosen = item.tracks.filter(({ title }) => title !== 'Two').map(({ catalog_id }) => catalog_id ?? '');

  const refused = await library.ask(importCatalog, { body: { url, catalog_ids: [...chosen, 'other'] } });
  assert.equal(refused.status, 422);
  assert.match(refused.error.details?.['catalog_ids']?.[0] ?? '', /does not contain other/);
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 0);

  const imported = (await library.ask(importCatalog, { body: { url, catalog_ids: chosen } })).body.data;
  const tracks = (await library.ask(listTracks)).body.data;
  assert.deepEqual(tracks.map(({ title }) => title).sort(), ['One', 'Three']);
  const after = await preview();
  assert.deepEqual(
    new Map(after.library.map(({ catalog_id, track_id }) => [catalog_id, track_id])),
    new Map(tracks.map(({ catalog_id, id }) => [catalog_id, id])),
  );
  await library.ask(deleteTrack, { params: { id: imported.items[0]?.track_id ?? '' } });
  assert.equal((await preview()).library.length, 1);
  const other = await library.registerUser();
  assert.deepEqual((await library.ask(previewImport, { body: { url } }, other)).body.data.library, []);
});

test('fails the job of a missing file with an explanation and completes its retry', async (t) => {
  const clock = createTestClock();
  const { library, folder, url } = await openSong(t, 0.3, { clock });
  const { job_id } = (await library.ask(downloadTrack, { body: { url } })).body.data;
  await rm(join(folder, 'song.wav'));
  await drainJobs(library.context);
  const failed = await jobOf(library, job_id);
  assert.equal(failed.status, 'failed');
  assert.match(failed.error ?? '', /no longer at the path that the catalog lists/);
  clock.advance(20);
  const later = (await library.ask(retryJob, { params: { id: job_id } })).body.data;
  await drainJobs(library.context);
  // A worker scans no folder: it uses what is known.
  assert.match((await jobOf(library, later.id)).error ?? '', /no longer at the path that the catalog lists/);
  assert.deepEqual(await library.storedFiles(), []);

  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 0.3 }));
  clock.advance(20);
  const again = (await library.ask(retryJob, { params: { id: job_id } })).body.data;
  await drainJobs(library.context);
  assert.equal((await jobOf(library, again.id)).error, null);
});

test('fails the job with the reason and stores nothing when an error occurs during decoding', async (t) => {
  const { library, url } = await openSong(t, 1.5, { config: { maxDurationSeconds: 1 } });
  const { job_id } = (await library.ask(downloadTrack, { body: { url } })).body.data;
  await drainJobs(library.context);
  const job = await jobOf(library, job_id);
  assert.deepEqual([job.status, job.output_path], ['failed', null]);
  assert.match(job.error ?? '', /must last at most 1 s.*Nothing was stored/);
  assert.deepEqual(await library.storedFiles(), []);
  assert.deepEqual(await library.context.files.listFolders('downloads'), []);
});

test('does not start a queued download that is cancelled', async (t) => {
  const { library, url } = await openSong(t);
  const { job_id } = (await library.ask(downloadTrack, { body: { url } })).body.data;
  assert.equal((await library.ask(cancelJob, { params: { id: job_id } })).status, 204);
  assert.equal(await drainJobs(library.context), 0);
  const { status, error } = await jobOf(library, job_id);
  assert.deepEqual([status, error], ['failed', 'cancelled']);
  assert.deepEqual(await library.storedFiles(), []);
});

test('stores nothing of a cancelled running download and completes its retry', async (t) => {
  const { library, url } = await openSong(t, 20);
  const { job_id } = (await library.ask(downloadTrack, { body: { url } })).body.data;
  await library.context.queue.start(library.context);
  await untilJob(library.context, job_id, 'processing');
  await library.ask(cancelJob, { params: { id: job_id } });
  assert.equal((await jobOf(library, job_id)).error, 'cancelled');
  await eventually(library.storedFiles, (files) => files.length === 0);
  const again = (await library.ask(retryJob, { params: { id: job_id } })).body.data;
  await untilJob(library.context, again.id, 'completed');
  assert.equal((await library.storedFiles()).length, 3);
});

test('restores a deleted track with its audio when it is imported again', async (t) => {
  const { library, url } = await openSong(t);
  const { track_id } = (await library.ask(downloadTrack, { body: { url } })).body.data;
  await drainJobs(library.context);
  await library.ask(deleteTrack, { params: { id: track_id } });
  const again = await library.ask(importCatalog, { body: { url } });
  assert.equal(again.status, 200);
  assert.deepEqual(
    again.body.data.items.map((item) => [item.track_id, item.status, item.existing]),
    [[track_id, 'completed', true]],
  );
  assert.ok((await library.ask(getTrack, { params: { id: track_id } })).body.data.audio);
});

test('stores the same audio once when it arrives for two users at the same time', async (t) => {
  const { library, url } = await openSong(t, 1);
  const other = await library.registerUser();
  const jobs = [];
  for (const as of [library.user, other])
    jobs.push((await library.ask(downloadTrack, { body: { url } }, as)).body.data.job_id);
  await library.context.queue.start(library.context);
  for (const id of jobs) await untilJob(library.context, id, 'completed');
  await deleteMarkedFolders(library.context);
  assert.equal((await library.storedFiles()).length, 3);
});

test("receives audio again when its source is purged during another user's request", async (t) => {
  const clock = createTestClock();
  const { library, url } = await openSong(t, 0.5, { clock, config: { trashDays: 0 } });
  const { track_id: id } = (await library.ask(downloadTrack, { body: { url } })).body.data;
  await drainJobs(library.context);
  await library.ask(deleteTrack, { params: { id } });
  clock.advance(601);
  const other = await library.registerUser();
  const asked = await library.ask(downloadTrack, { body: { url, quality: 'low' } }, other);
  const { job_id } = asked.body.data;
  // The rendition is published only after the source has been deleted.
  const { files } = library.context;
  const swept = Promise.withResolvers<void>();
  const createFolder = files.createStagingFolder.bind(files);
  t.mock.method(files, 'createStagingFolder', async () => {
    const folder = await createFolder();
    const publish = folder.publish.bind(folder);
    return {
      ...folder,
      publish: (...to: Parameters<typeof publish>) => swept.promise.then(() => publish(...to)),
    };
  });
  const working = drainJobs(library.context);
  await untilJob(library.context, job_id, 'processing');
  await library.sweep();
  swept.resolve();
  await working;
  const job = (await library.ask(getDownloadJob, { params: { id: job_id } }, other)).body.data;
  assert.deepEqual([job.status, job.error], ['completed', null]);
  assert.equal((await library.storedFiles()).length, 3);
  const row = await library.context.db.selectFrom('audio_sources').selectAll().executeTakeFirstOrThrow();
  assert.ok(job.output_path?.includes(row.id), 'in a folder of its own');
});
