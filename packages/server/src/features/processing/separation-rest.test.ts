import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { pause } from '../../platform/clock.ts';
import { childProcesses } from '../../testing/child-processes.ts';
import { type LibraryApp, listenTo, openLibrary, untilJob } from '../../testing/library-steps.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';
import { testWav } from '../../testing/test-sound.ts';
import { separatorPoolOf } from './engines/separator-pool.ts';

async function openResting(t: TestLifetime, separationRestSeconds: number) {
  const library = await openLibrary(t, { config: { separationRestSeconds } });
  library.context.beforeClose(() => separatorPoolOf(library.context).close());
  return library;
}

async function askFor(library: LibraryApp, track_id: string, model: SeparationModelName = 'hybrid_4') {
  return (await library.ask(separate, { body: { track_id, model } })).body.data.job_id;
}

async function separated(library: LibraryApp, trackId: string, model?: SeparationModelName) {
  const id = await askFor(library, trackId, model);
  await drainJobs(library.context);
  const job = (await library.ask(getProcessingJob, { params: { id } })).body.data;
  assert.deepEqual([job.status, job.error], ['completed', null]);
  return job;
}

const processes = () => childProcesses('separator');

test('one process serves one separation after the other, and ends when it has rested long enough', async (t) => {
  const library = await openResting(t, 2);
  const track = await library.addTrack(await testWav({ seconds: 1 }));
  const [first] = [await separated(library, track.id)];
  const [pid] = await processes();
  const second = await separated(library, track.id);
  assert.deepEqual(await processes(), [pid]);
  for (const [i, stem] of first.stems.entries()) {
    const bytes = [stem, second.stems[i]].map((one) =>
      readFile(library.context.files.absolute(one?.file_path ?? '')),
    );
    const [a, b] = await Promise.all(bytes);
    assert.ok(a?.equals(b as Buffer), stem.stem_type);
  }
  while ((await processes()).length > 0) await pause(20);
});

test('a process that rests with another model loaded makes room, and one that was killed is replaced unseen', async (t) => {
  const library = await openResting(t, 600);
  const track = await library.addTrack(await testWav({ seconds: 1 }));
  await separated(library, track.id);
  const [first] = await processes();
  await separated(library, track.id, 'alt_4');
  const [second, ...others] = await processes();
  assert.deepEqual(others, []);
  assert.notEqual(second, first);
  process.kill(second ?? 0, 'SIGKILL');
  const job = await separated(library, track.id, 'alt_4');
  const { attempt } = await library.context.db
    .selectFrom('jobs')
    .select('attempt')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow();
  assert.equal(attempt, 1);
});

test('a cancel ends a process that was used before at once, and the next separation has a new one', async (t) => {
  const library = await openResting(t, 600);
  const { context } = library;
  const short = await library.addTrack(await testWav({ seconds: 1 }));
  const long = await library.addTrack(await testWav({ seconds: 40 }));
  await separated(library, short.id);
  const [pid] = await processes();
  const id = await askFor(library, long.id);
  const heard = listenTo(context, `jobs:${id}`);
  await context.queue.start(context);
  while (!heard.some(({ payload }) => Number(payload['progress']) >= 10)) await pause(10);
  await library.ask(cancelJob, { params: { id } });
  while ((await processes()).includes(pid ?? 0)) await pause(10);
  await untilJob(context, await askFor(library, short.id), 'completed');
  assert.notEqual((await processes())[0], pid);
});

test('the service leaves no resting process behind when it stops, and lets none rest from then on', async (t) => {
  const library = await openResting(t, 600);
  const track = await library.addTrack(await testWav({ seconds: 1 }));
  await separated(library, track.id);
  assert.equal((await processes()).length, 1);
  await separatorPoolOf(library.context).close();
  assert.deepEqual(await processes(), []);
  await separated(library, track.id);
  assert.deepEqual(await processes(), []);
});
