import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { cancelImport, getImport, listImports } from '@stem-studio/contract/endpoints/imports';
import { cancelJob, listJobs } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack, listTracks } from '@stem-studio/contract/endpoints/tracks';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { sql } from 'kysely';
import { countStatements } from '../../testing/count-statements.ts';
import { eventually } from '../../testing/eventually.ts';
import { listenTo, makeFolder, openLibrary } from '../../testing/library-steps.ts';
import { standInId, standInPlaylists, titleOf } from '../../testing/stand-ins/catalog-data.ts';
import { startStandInCatalog } from '../../testing/stand-ins/catalog-server.ts';
import { installDownloadTool } from '../../testing/stand-ins/install-download-tool.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';
import { untilSomebodyWaits } from '../../testing/waiting-for-lock.ts';
import { demoAlbumUrl } from '../catalog/index.ts';

async function openStudio(t: TestLifetime, mode = '') {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const downloadTool = await installDownloadTool(await makeFolder(t), mode);
  const library = await openLibrary(t, { config: { webCatalog: standIn, downloadTool } });
  const bring = (url: string) => library.ask(importCatalog, { body: { url, quality: 'low' } });
  const imports = async () => (await library.ask(listImports)).body.data;
  return { library, bring, imports };
}
const playlistUrl = (name: keyof typeof standInPlaylists) =>
  `https://open.spotify.com/playlist/${standInId('playlist', standInPlaylists[name])}`;

test('imports a playlist of 1,000 tracks completely, with one progress, and ends it with one cancel', async (t) => {
  const { library, bring, imports } = await openStudio(t);
  const reply = await bring(playlistUrl('thousand'));
  assert.equal(reply.status, 201);
  const { items, skipped, import_id } = reply.body.data;
  assert.deepEqual([items.length, skipped.length], [1000, 0]);
  assert.equal(new Set(items.map((item) => item.track_id)).size, 1000);
  assert.ok(items.every((item) => item.job_id !== null && item.status === 'queued' && !item.existing));
  const tracks = (await library.ask(listTracks, { query: { sort: 'created_at', page_size: 3 } })).body;
  assert.equal(tracks.meta.total_count, 1000);
  assert.deepEqual(
    tracks.data.map((track) => track.title),
    [titleOf(0), titleOf(1), titleOf(2)],
  );
  const [shown, ...others] = await imports();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [shown?.id, shown?.status, shown?.total, shown?.progress],
    [import_id, 'running', 1000, 0],
  );

  const params = { id: import_id ?? '' };
  assert.equal((await library.ask(cancelImport, { params })).status, 204);
  const after = (await library.ask(getImport, { params })).body.data;
  assert.deepEqual(
    [after.status, after.completed, after.failed, after.progress],
    ['cancelled', 0, 1000, 100],
  );
  assert.deepEqual(await imports(), []);
  const left = await library.ask(listJobs, { query: { status: 'queued' } });
  assert.equal(left.body.meta.total_count, 0);
  assert.equal(await drainJobs(library.context), 0);
  const again = await library.ask(cancelImport, { params });
  assert.deepEqual([again.status, again.error.code], [422, 'JOB_NOT_CANCELLABLE']);
});

test('counts completed and failed tracks of an import, publishes them on the library topic and finishes with the last', async (t) => {
  const { library, bring, imports } = await openStudio(t);
  const received = listenTo(library.context, `library:${library.user.id}`);
  const { import_id, items, skipped } = (await bring(playlistUrl('mixed'))).body.data;
  assert.deepEqual([items.length, skipped.length], [2, 4]);
  assert.equal((await library.ask(cancelJob, { params: { id: items[0]?.job_id ?? '' } })).status, 204);
  const [half] = await imports();
  assert.deepEqual([half?.completed, half?.failed, half?.progress], [0, 1, 50]);
  await drainJobs(library.context);
  const whole = (await library.ask(getImport, { params: { id: import_id ?? '' } })).body.data;
  assert.deepEqual([whole.status, whole.completed, whole.failed, whole.progress], ['completed', 1, 1, 100]);
  assert.notEqual(whole.finished_at, null);
  const progressUpdates = () =>
    received
      .filter(({ event }) => event === 'import_progress')
      .map(({ payload }) => libraryChannel.pushes.import_progress.parse(payload).import);
  const updates = await eventually(progressUpdates, (all) =>
    all.some(({ status }) => status === 'completed'),
  );
  assert.deepEqual(
    updates.map(({ progress, status }) => [progress, status]),
    [
      [0, 'running'],
      [50, 'running'],
      [100, 'completed'],
    ],
  );
});

test('leaves existing tracks out of an import and creates none without new tracks', async (t) => {
  const { library, bring, imports } = await openStudio(t);
  await bring(playlistUrl('mixed'));
  await drainJobs(library.context);
  const again = await bring(playlistUrl('mixed'));
  assert.equal(again.status, 200);
  assert.deepEqual([again.body.data.import_id, again.body.data.items.length], [null, 2]);
  assert.ok(again.body.data.items.every((item) => item.existing && item.status === 'completed'));
  const { import_id, items } = (await bring(`spotify:album:${standInId('album', 0)}`)).body.data;
  assert.equal(items.length, 60);
  const shown = (await library.ask(getImport, { params: { id: import_id ?? '' } })).body.data;
  assert.deepEqual([shown.type, shown.title, shown.total], ['album', 'Album 0', 58]);
  assert.equal((await bring(`spotify:track:${standInId('track', 900)}`)).body.data.import_id, null);
  assert.equal((await imports()).length, 1);
});

test('imports each track once when two overlapping lists are requested at the same time', async (t) => {
  const { library, bring } = await openStudio(t);
  const replies = await Promise.all([
    bring(playlistUrl('oldNesting')),
    bring(`spotify:album:${standInId('album', 0)}`),
    bring(`spotify:album:${standInId('album', 1)}`),
  ]);
  for (const reply of replies) assert.equal(reply.body.data.skipped.length, 0);
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 120);
  assert.equal((await library.ask(listJobs)).body.meta.total_count, 120);
});

test('counts a deleted track as failed', async (t) => {
  const { library, bring, imports } = await openStudio(t);
  const { items } = (await bring(playlistUrl('mixed'))).body.data;
  await library.ask(deleteTrack, { params: { id: items[0]?.track_id ?? '' } });
  assert.equal((await imports())[0]?.failed, 1);
});

test('imports the demo album as one import and hides it from other users', async (t) => {
  const { library, bring } = await openStudio(t);
  const { import_id } = (await bring(demoAlbumUrl)).body.data;
  const params = { id: import_id ?? '' };
  const other = await library.registerUser();
  for (const spec of [getImport, cancelImport])
    assert.equal((await library.ask(spec, { params }, other)).status, 404);
  assert.deepEqual((await library.ask(listImports, {}, other)).body.data, []);
  assert.equal((await library.ask(getImport, { params })).status, 200);
});

test('publishes one event for an import instead of one per track, and one for its cancel', async (t) => {
  const { library, bring } = await openStudio(t);
  const received = listenTo(library.context, `library:${library.user.id}`);
  const { import_id, items } = (await bring(`spotify:album:${standInId('album', 0)}`)).body.data;
  const events = await untilReceived(received, 2);
  assert.deepEqual(events, ['import_progress', 'library_changed']);
  assert.deepEqual(libraryChannel.pushes.library_changed.parse(received[1]?.payload), {
    import_id,
    tracks: 60,
    jobs: 60,
  });
  const watched = listenTo(library.context, `jobs:${items[7]?.job_id}`);
  await library.ask(cancelImport, { params: { id: import_id ?? '' } });
  assert.deepEqual(await untilReceived(received, 4), [...events, 'import_progress', 'library_changed']);
  assert.equal(received[3]?.payload['jobs'], 60);
  await eventually(
    () => watched,
    ({ length }) => length > 0,
  );
  assert.deepEqual(
    watched.map(({ payload }) => [payload['status'], payload['error']]),
    [['failed', 'cancelled']],
  );
});

test('runs a number of database statements that does not grow with the list, for an import and its cancel', async (t) => {
  const statements = countStatements();
  t.after(() => statements.stop());
  const { library, bring } = await openStudio(t);
  const costOf = async (work: () => Promise<unknown>) => {
    const before = statements.count();
    await work();
    return statements.count() - before;
  };
  let id = '';
  const bringing = await costOf(async () => {
    id = (await bring(playlistUrl('thousand'))).body.data.import_id ?? '';
  });
  const ending = await costOf(() => library.ask(cancelImport, { params: { id } }));
  assert.ok(bringing > 5 && bringing < 60, `1,000 songs took ${bringing} statements`);
  assert.ok(ending > 5 && ending < 40, `their cancel took ${ending} statements`);
});

test('leaves nothing of an import whose connection breaks and imports the complete list on the next request', async (t) => {
  const { library, bring, imports } = await openStudio(t);
  const { db } = library.context;
  const broken = await db.transaction().execute(async (tx) => {
    await sql`lock table jobs in exclusive mode`.execute(tx);
    const answer = bring(playlistUrl('thousand'));
    await untilSomebodyWaits(db);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and pid <> pg_backend_pid() and datname = current_database()`.execute(
      db,
    );
    return { answer };
  });
  assert.ok((await broken.answer).status >= 500);
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 0);
  assert.equal((await library.ask(listJobs)).body.meta.total_count, 0);
  assert.deepEqual(await imports(), []);
  assert.equal((await bring(playlistUrl('thousand'))).body.data.items.length, 1000);
  assert.equal((await imports())[0]?.total, 1000);
});

test('keeps and counts a track that completes while its import is cancelled', async (t) => {
  const { library, bring } = await openStudio(t);
  const { import_id } = (await bring(playlistUrl('mixed'))).body.data;
  assert.equal(await library.context.queue.runOne(library.context), true);
  const params = { id: import_id ?? '' };
  assert.equal((await library.ask(cancelImport, { params })).status, 204);
  const after = (await library.ask(getImport, { params })).body.data;
  assert.deepEqual([after.status, after.completed, after.failed], ['cancelled', 1, 1]);
  assert.equal(await drainJobs(library.context), 0);
});

test('lists the import of each job and filters jobs by import and by several states', async (t) => {
  const { library, bring } = await openStudio(t);
  const { import_id } = (await bring(playlistUrl('mixed'))).body.data;
  await bring(`spotify:track:${standInId('track', 900)}`);
  const list = async (query: Record<string, string>) => (await library.ask(listJobs, { query })).body;
  const all = await list({ status: 'queued,failed' });
  assert.deepEqual(
    all.data.map((job) => job.import_id),
    [null, import_id, import_id],
  );
  assert.equal((await list({ import_id: import_id ?? '' })).meta.total_count, 2);
  assert.equal((await list({ import_id: 'none' })).meta.total_count, 1);
  assert.equal((await list({ status: 'completed' })).meta.total_count, 0);
  assert.equal((await library.ask(listJobs, { query: { status: 'queued,nonsense' } })).status, 422);
});

/** Returns the published events once there are at least `count`. */
async function untilReceived(received: readonly { event: string }[], count: number): Promise<string[]> {
  return eventually(
    () => received.map(({ event }) => event),
    ({ length }) => length >= count,
  );
}
