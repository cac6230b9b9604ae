import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { openLibrary } from '../../testing/library-steps.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { testWav } from '../../testing/test-sound.ts';

const nobody = '00000000-0000-7000-8000-000000000000';

test('a folder that no row knows goes when it is older than 15 minutes; known and awaited sound stays', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const { files } = library.context;
  await library.addTrack(await testWav({ seconds: 0.2 }));
  await library.upload(await testWav({ seconds: 0.3 }));
  const cancelled = (await library.upload(await testWav({ seconds: 0.4 }))).body.data;
  await library.ask(cancelJob, { params: { id: cancelled.job_id } });
  const stays = await library.storedFiles();
  await files.writeAside(`downloads/${nobody}/received`, (out) => out.append(new Uint8Array(10)));
  clock.advance(800);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, stays.length + 1);
  clock.advance(110);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), stays);
  assert.equal((await files.listFolders('downloads')).length, 3);

  await library.ask(retryJob, { params: { id: cancelled.job_id } });
  await drainJobs(library.context);
  clock.advance(3600);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, 9);
});

test('the bytes of an upload that never became sound go with its track', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const { track_id, job_id } = (await library.upload(await testWav({ seconds: 0.2 }))).body.data;
  await library.ask(cancelJob, { params: { id: job_id } });
  await library.ask(deleteTrack, { params: { id: track_id } });
  clock.advance(500);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, 1);
  clock.advance(500);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), []);
});

test('an upload that another attempt has replaced is not awaited any more', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const bytes = await testWav({ seconds: 0.2 });
  const { job_id } = (await library.upload(bytes)).body.data;
  await library.ask(cancelJob, { params: { id: job_id } });
  await library.upload(bytes);
  await drainJobs(library.context);
  assert.equal((await library.storedFiles()).length, 4);
  clock.advance(1000);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, 3);
});
