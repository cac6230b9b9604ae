import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getUsage } from '@stem-studio/contract/endpoints/account';
import { exportStems } from '@stem-studio/contract/endpoints/exports';
import { deleteStems, getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { chooseSeparation, listSeparations } from '@stem-studio/contract/endpoints/separations';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { deleteMarkedFolders } from '../../platform/files/folders-to-delete.ts';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';

async function separateBy(library: LibraryApp, track_id: string, more: object = {}): Promise<string> {
  const accepted = await library.ask(separate, { body: { track_id, ...more } });
  assert.equal(accepted.status, 201);
  await drainJobs(library.context);
  const { job_id: id } = accepted.body.data;
  assert.equal((await library.ask(getProcessingJob, { params: { id } })).body.data.status, 'completed');
  return id;
}

const listOf = async (library: LibraryApp, track_id: string) =>
  (await library.ask(listSeparations, { params: { track_id } })).body.data;
const defaultOf = async (library: LibraryApp, id: string) =>
  (await library.ask(getTrack, { params: { id } })).body.data.stems_job_id;
const usageOf = async (library: LibraryApp) => (await library.ask(getUsage)).body.data;
const stemFolders = async (library: LibraryApp) =>
  new Set(
    (await library.storedFiles())
      .filter((path) => path.startsWith('stems/'))
      .map((path) => path.split('/')[1]),
  );

test('a track keeps the separations of several models, each with what made it, its time and its size', async (t) => {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const { id } = await library.addTrack(await testWav({ seconds: 1 }));
  assert.deepEqual(await listOf(library, id), []);
  const before = await usageOf(library);
  const four = await separateBy(library, id);
  const six = await separateBy(library, id, { model: 'hybrid_6' });

  const list = await listOf(library, id);
  assert.deepEqual(
    list.map(({ job_id, model, engine, preview, is_default, stems }) => [
      job_id,
      model,
      engine,
      preview,
      is_default,
      stems.length,
    ]),
    [
      [six, 'hybrid_6', 'local', false, true, 6],
      [four, 'hybrid_4', 'local', false, false, 4],
    ],
  );
  for (const kept of list) {
    assert.equal(kept.duration_ms, 1000);
    assert.equal(kept.backend, kept.stems[0]?.backend);
    assert.equal(kept.network, 'spleeter_2stems');
    assert.equal(
      kept.bytes,
      kept.stems.reduce((sum, stem) => sum + stem.file_size, 0),
    );
    assert.ok(kept.seconds_taken !== null && kept.seconds_taken > 0, String(kept.seconds_taken));
    assert.ok(Date.parse(kept.created_at) > 0);
  }
  const used = await usageOf(library);
  const bytes = list.reduce((sum, kept) => sum + kept.bytes, 0);
  assert.equal(used.storage.used_bytes - before.storage.used_bytes, bytes);
  assert.equal(used.stem_sets.used, 2);
});

test('a separation by the same model replaces the earlier one, and only that', async (t) => {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const { id } = await library.addTrack(await testWav({ seconds: 1 }));
  const first = await separateBy(library, id);
  const six = await separateBy(library, id, { model: 'hybrid_6' });
  const preview = await separateBy(library, id, { preview: true });
  const again = await separateBy(library, id);
  const kept = (await listOf(library, id)).map(({ job_id }) => job_id);
  assert.deepEqual(kept.toSorted(), [six, preview, again].toSorted());
  assert.equal(await defaultOf(library, id), again);
  // The job of the replaced one stays in the list of jobs, without stems.
  const old = (await library.ask(getProcessingJob, { params: { id: first } })).body.data;
  assert.deepEqual([old.status, old.stems], ['completed', []]);
  assert.equal((await usageOf(library)).stem_sets.used, 3);
  await deleteMarkedFolders(library.context);
  assert.deepEqual(await stemFolders(library), new Set(kept));

  const secondPreview = await separateBy(library, id, { preview: true });
  assert.deepEqual(
    (await listOf(library, id)).map(({ job_id }) => job_id).toSorted(),
    [six, secondPreview, again].toSorted(),
  );
  assert.equal(await defaultOf(library, id), again);
});

test('the chosen separation is the default of exports until another one is made or chosen', async (t) => {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const { id } = await library.addTrack(await testWav({ seconds: 0.5 }));
  const four = await separateBy(library, id);
  const six = await separateBy(library, id, { model: 'hybrid_6' });
  const preview = await separateBy(library, id, { preview: true });
  const bytesOfZip = async (query: Record<string, string> = {}) =>
    (await library.app.inject({ url: `/export/stems/${id}`, headers: library.user.headers, query }))
      .rawPayload.length;
  assert.equal((await library.ask(exportStems, { params: { track_id: id } })).status, 200);
  assert.equal(await bytesOfZip(), await bytesOfZip({ job_id: six }));

  const chosen = await library.ask(chooseSeparation, { params: { id: four } });
  assert.deepEqual([chosen.status, chosen.body.data.job_id, chosen.body.data.is_default], [200, four, true]);
  assert.equal(await defaultOf(library, id), four);
  assert.deepEqual(
    (await listOf(library, id)).filter(({ is_default }) => is_default).map(({ job_id }) => job_id),
    [four],
  );
  assert.equal(await bytesOfZip(), await bytesOfZip({ job_id: four }));

  const refused = await library.ask(chooseSeparation, { params: { id: preview } });
  assert.deepEqual([refused.status, refused.error.code], [422, 'VALIDATION_ERROR']);
  assert.match(refused.error.error, /whole track .*preview of 60 seconds/);
  assert.equal(await defaultOf(library, id), four);
});

test('deleting a separation frees its space, and the newest other whole one becomes the default', async (t) => {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const { id } = await library.addTrack(await testWav({ seconds: 0.5 }));
  const four = await separateBy(library, id);
  const six = await separateBy(library, id, { model: 'hybrid_6' });
  await separateBy(library, id, { model: 'alt_4', preview: true });
  const [, sixKept] = await listOf(library, id);
  assert.equal(sixKept?.job_id, six);
  const before = await usageOf(library);

  const deleted = await library.ask(deleteStems, { params: { id: six } });
  assert.deepEqual(deleted.body.data, { freed_bytes: sixKept?.bytes });
  const after = await usageOf(library);
  assert.equal(before.storage.used_bytes - after.storage.used_bytes, sixKept?.bytes);
  assert.equal(await defaultOf(library, id), four);
  assert.ok(!(await stemFolders(library)).has(six));
  const gone = await library.ask(chooseSeparation, { params: { id: six } });
  assert.deepEqual([gone.status, gone.error.code], [404, 'NOT_FOUND']);
  const exported = await library.ask(exportStems, { params: { track_id: id }, query: { job_id: six } });
  assert.match(exported.error.error, /no completed separation of that job_id/);

  await library.ask(deleteStems, { params: { id: four } });
  assert.equal(await defaultOf(library, id), null);
  assert.deepEqual(
    (await listOf(library, id)).map(({ model, preview, is_default }) => [model, preview, is_default]),
    [['alt_4', true, false]],
  );
});

test('hides the separations of a track from other users with 404', async (t) => {
  const library = await openLibrary(t, { repeatsSeparations: true });
  const { id } = await library.addTrack(await testWav({ seconds: 0.3 }));
  const job = await separateBy(library, id);
  const stranger = await library.registerUser();
  assert.equal((await library.ask(listSeparations, { params: { track_id: id } }, stranger)).status, 404);
  assert.equal((await library.ask(chooseSeparation, { params: { id: job } }, stranger)).status, 404);
});
