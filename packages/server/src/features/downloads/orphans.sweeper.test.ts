import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { deleteMarkedFolders } from '../../platform/files/folders-to-delete.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { quarantineOrphanedSources } from './orphans.sweeper.ts';

const nobody = '00000000-0000-7000-8000-000000000000';

test('quarantines an orphaned folder older than 15 minutes and keeps known and awaited audio', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const { files } = library.context;
  await library.addTrack(await testWav({ seconds: 0.2 }));
  await library.upload(await testWav({ seconds: 0.3 }));
  const cancelled = (await library.upload(await testWav({ seconds: 0.4 }))).body.data;
  await library.ask(cancelJob, { params: { id: cancelled.job_id } });
  const stays = await library.storedFiles();
  await files.writeAtomically(`downloads/${nobody}/received`, (out) => out.append(new Uint8Array(10)));
  clock.advance(800);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, stays.length + 1);
  clock.advance(110);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), stays);
  assert.equal((await files.listFolders('downloads')).length, 3);
  const [orphan] = await files.quarantine.list();
  assert.deepEqual([orphan?.path, orphan?.files, orphan?.bytes], [`downloads/${nobody}`, 1, 10]);

  await library.ask(retryJob, { params: { id: cancelled.job_id } });
  await drainJobs(library.context);
  clock.advance(3600);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, 9);
});

test('quarantines an orphaned file in the folder of known audio and restores it', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const { files } = library.context;
  await library.addTrack(await testWav({ seconds: 0.2 }));
  const stays = await library.storedFiles();
  const [folder] = await files.listFolders('downloads');
  const path = `downloads/${folder?.name}/lossless.flac`;
  await files.writeAtomically(path, (out) => out.append(new Uint8Array(10)));
  clock.advance(800);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, stays.length + 1);
  clock.advance(110);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), stays);
  const [orphan] = await files.quarantine.list();
  assert.deepEqual([orphan?.path, orphan?.files, orphan?.bytes], [path, 1, 10]);
  assert.equal(await files.quarantine.restore(orphan?.entry ?? '', clock.now()), 'restored');
  assert.equal((await library.storedFiles()).length, stays.length + 1);
});

test('deletes the bytes of an unprepared upload with its track', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const { track_id, job_id } = (await library.upload(await testWav({ seconds: 0.2 }))).body.data;
  await library.ask(cancelJob, { params: { id: job_id } });
  await library.ask(deleteTrack, { params: { id: track_id } });
  clock.advance(500);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, 1);
  clock.advance(30 * 86_400);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), []);
  assert.deepEqual(await library.context.files.quarantine.list(), []);
});

test('does not await an upload that another attempt has replaced', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const bytes = await testWav({ seconds: 0.2 });
  const { job_id } = (await library.upload(bytes)).body.data;
  await library.ask(cancelJob, { params: { id: job_id } });
  await library.upload(bytes);
  await drainJobs(library.context);
  assert.equal((await library.storedFiles()).length, 4);
  assert.equal(await deleteMarkedFolders(library.context), 1);
  assert.equal((await library.storedFiles()).length, 3);
});

test('quarantines every audio folder of an empty database, each with a log line', async (t) => {
  const clock = createTestClock();
  const logLines: string[] = [];
  const library = await openLibrary(t, { clock, logLines });
  const { context } = library;
  await library.addTrack(await testWav({ seconds: 0.2 }));
  await library.addTrack(await testWav({ seconds: 0.3 }));
  const before = await library.storedFiles();
  await context.db.deleteFrom('tracks').execute();
  await context.db.deleteFrom('audio_sources').execute();
  clock.advance(1000);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), []);
  const kept = await context.files.quarantine.list();
  assert.equal(kept.length, 2);
  assert.equal(logLines.filter((line) => line.includes('moved to the quarantine')).length, 2);
  for (const { entry } of kept)
    assert.equal(await context.files.quarantine.restore(entry, clock.now()), 'restored');
  assert.deepEqual(await library.storedFiles(), before);
});

test('ignores a folder that is not named by an id', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  await library.context.files.writeAtomically('downloads/lost+found/x', (out) =>
    out.append(new Uint8Array(1)),
  );
  clock.advance(1000);
  assert.equal(await quarantineOrphanedSources(library.context), 0);
  assert.deepEqual(await library.storedFiles(), ['downloads/lost+found/x']);
});
