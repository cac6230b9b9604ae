import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { childProcesses, holdStill } from '../../testing/child-processes.ts';
import { eventually } from '../../testing/eventually.ts';
import { type LibraryApp, openLibrary, untilJob } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';
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

const untilNone = () => eventually(processes, (pids) => pids.length === 0);

test('reuses one process for successive separations', async (t) => {
  const library = await openResting(t, 600);
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
});

test('ends a process that has been idle long enough', async (t) => {
  const library = await openResting(t, 0.2);
  const track = await library.addTrack(await testWav({ seconds: 1 }));
  await separated(library, track.id);
  await untilNone();
});

test('ends an idle process with another model loaded and silently replaces a killed one', async (t) => {
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

test('ends a reused process at once on a cancel and starts a new one for the next separation', async (t) => {
  const library = await openResting(t, 600);
  const { context } = library;
  const short = await library.addTrack(await testWav({ seconds: 1 }));
  await separated(library, short.id);
  const [pid = 0] = await processes();
  holdStill(pid);
  const pool = separatorPoolOf(context);
  const separateThere = pool.separate.bind(pool);
  const asked = Promise.withResolvers<void>();
  t.mock.method(pool, 'separate', (...about: Parameters<typeof separateThere>) => {
    asked.resolve();
    return separateThere(...about);
  });
  const id = await askFor(library, short.id);
  await context.queue.start(context);
  await asked.promise;
  assert.equal((await library.ask(cancelJob, { params: { id } })).status, 204);
  await eventually(processes, (pids) => !pids.includes(pid));
  await untilJob(context, await askFor(library, short.id), 'completed');
  const [other] = await eventually(processes, (pids) => pids.length > 0);
  assert.notEqual(other, pid);
});

test('ends idle processes when the service stops and keeps none from then on', async (t) => {
  const library = await openResting(t, 600);
  const track = await library.addTrack(await testWav({ seconds: 1 }));
  await separated(library, track.id);
  assert.equal((await processes()).length, 1);
  await separatorPoolOf(library.context).close();
  assert.deepEqual(await processes(), []);
  await separated(library, track.id);
  assert.deepEqual(await processes(), []);
});
