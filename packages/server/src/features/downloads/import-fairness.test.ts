import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { makeFolder, openLibrary } from '../../testing/library-steps.ts';
import { standInId } from '../../testing/stand-ins/catalog-data.ts';
import { startStandInCatalog } from '../../testing/stand-ins/catalog-server.ts';
import { installDownloadTool } from '../../testing/stand-ins/install-download-tool.ts';
import { testWav } from '../../testing/test-audio.ts';
import { demoAlbumUrl } from '../catalog/index.ts';

test("runs the single track of one user before the rest of another user's album at every stage", async (t) => {
  const standIn = await startStandInCatalog();
  t.after(() => standIn.close());
  const downloadTool = await installDownloadTool(await makeFolder(t), '');
  const library = await openLibrary(t, { config: { autoAnalyze: true, webCatalog: standIn, downloadTool } });
  const { context } = library;
  const url = `spotify:album:${standInId('album', 0)}`;
  const imported = await library.ask(importCatalog, { body: { url, quality: 'low' } });
  assert.equal(imported.body.data.items.length, 60);
  await context.queue.runOne(context);
  const other = await library.registerUser();
  const { track_id } = (await library.upload(await testWav(), 'mine.wav', other)).body.data;
  await context.queue.runOne(context);
  const shown = (await library.ask(getTrack, { params: { id: track_id } }, other)).body.data;
  assert.equal(shown.download?.status, 'completed');

  const analyses = await context.db
    .selectFrom('jobs')
    .select(['user_id', 'queue_class', 'queue_tag'])
    .where('type', '=', 'analysis')
    .orderBy('created_at')
    .execute();
  assert.deepEqual(analyses, [
    { user_id: library.user.id, queue_class: 'batch', queue_tag: 0 },
    { user_id: other.id, queue_class: 'interactive', queue_tag: 0 },
  ]);
});

test('gives a track of an album interactive priority when it is requested alone', async (t) => {
  const library = await openLibrary(t);
  const { context } = library;
  const ask = async (url: string) =>
    (await library.ask(importCatalog, { body: { url, quality: 'low' } })).body.data.items;
  const items = await ask(demoAlbumUrl);
  const last = items.at(-1);
  const track = (await library.ask(getTrack, { params: { id: last?.track_id ?? '' } })).body.data;
  const [again] = await ask(track.catalog_url ?? '');
  assert.equal(again?.job_id, last?.job_id);
  const job = await context.db
    .selectFrom('jobs')
    .select(['queue_class', 'queue_tag'])
    .where('id', '=', last?.job_id ?? '')
    .executeTakeFirstOrThrow();
  assert.deepEqual(job, { queue_class: 'interactive', queue_tag: 0 });
});
