import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { childProcesses, holdStill } from '../../testing/child-processes.ts';
import { eventually } from '../../testing/eventually.ts';
import { type LibraryApp, listenTo, messagesToTheEnd, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { trackSubject } from '../tracks/index.ts';
import { processingWorker } from './processing.worker.ts';

/** Requests a separation that takes several seconds. */
async function openSeparation(library: LibraryApp) {
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 8 }));
  const { job_id: id } = (await library.ask(separate, { body: { track_id } })).body.data;
  return { track_id, id, received: listenTo(library.context, `jobs:${id}`) };
}

async function jobOf(library: LibraryApp, id: string) {
  return (await library.ask(getProcessingJob, { params: { id } })).body.data;
}

/** Waits for a separator process other than `other`, suspends it and returns its id. */
async function engineProcess(other = 0): Promise<number> {
  const others = () => childProcesses('separator').then((pids) => pids.filter((pid) => pid !== other));
  const [found = 0] = await eventually(others, (pids) => pids.length > 0);
  holdStill(found);
  return found;
}

test('ends the process and leaves no file when a running separation is cancelled', async (t) => {
  const library = await openLibrary(t, { config: { separationRestSeconds: 0 } });
  const { id } = await openSeparation(library);
  const before = await library.storedFiles();
  await library.context.queue.start(library.context);
  await engineProcess();
  assert.equal((await library.ask(cancelJob, { params: { id } })).status, 204);
  const { status, error, stems } = await jobOf(library, id);
  assert.deepEqual([status, error, stems], ['failed', 'cancelled', []]);
  await eventually(
    () => childProcesses('separator'),
    (pids) => pids.length === 0,
  );
  await eventually(library.storedFiles, (files) => files.length <= before.length);
  assert.deepEqual(await library.storedFiles(), before);
  assert.deepEqual(await library.context.files.listFolders('stems'), []);
});

test('retries once when the engine dies, then fails the job with an explanation and allows a retry', async (t) => {
  const library = await openLibrary(t, { config: { separationRestSeconds: 0 } });
  const { id, received } = await openSeparation(library);
  const before = await library.storedFiles();
  const working = drainJobs(library.context);
  const first = await engineProcess();
  process.kill(first, 'SIGKILL');
  process.kill(await engineProcess(first), 'SIGKILL');
  await working;
  assert.deepEqual(await childProcesses('separator'), []);
  const failed = await jobOf(library, id);
  assert.equal(failed.status, 'failed');
  assert.match(failed.error ?? '', /separation engine ended without a result/);
  const messages = (await messagesToTheEnd(received, id)).map(({ message }) => String(message));
  assert.deepEqual(
    messages.filter((message) => message.startsWith('attempt')),
    ['attempt 2 of 2'],
  );
  assert.deepEqual(await library.storedFiles(), before);

  const again = (await library.ask(retryJob, { params: { id } })).body.data;
  await drainJobs(library.context);
  const done = await jobOf(library, again.id);
  assert.deepEqual([done.status, done.error, done.stems.length], ['completed', null, 4]);
  assert.equal((await library.storedFiles()).length, before.length + 4);
});

test('keeps the stems of the current attempt when an earlier one has lost its lease', async (t) => {
  const library = await openLibrary(t, { config: { separationRestSeconds: 0 } });
  const { id: trackId } = await library.addTrack(await testWav({ seconds: 1 }));
  const { job_id: jobId } = (await library.ask(separate, { body: { track_id: trackId } })).body.data;
  await drainJobs(library.context);
  const whole = await library.storedFiles();
  assert.equal((await jobOf(library, jobId)).stems.length, 4);
  const lost = new AbortController();
  const run = {
    jobId,
    subject: trackSubject(trackId),
    userId: library.user.id,
    attempt: 1,
    maxAttempts: 2,
    leaseId: jobId,
    expectedBytes: 0,
    signal: lost.signal,
    report: async () => lost.abort(new Error('somebody else has taken the job')),
  };
  const args = { model: 'hybrid_4', engine: 'local', preview: false };
  await assert.rejects(processingWorker.perform(args, run, library.context), /somebody else has taken/);
  assert.deepEqual(await library.storedFiles(), whole);
});
