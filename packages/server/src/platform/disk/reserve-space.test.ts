import assert from 'node:assert/strict';
import { type TestContext as NodeTest, test } from 'node:test';
import { getUsage } from '@stem-studio/contract/endpoints/account';
import { getJob } from '@stem-studio/contract/endpoints/jobs';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { z } from 'zod';
import { eventually } from '../../testing/eventually.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs, openTestContext } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { storedJson } from '../db/stored-json.ts';
import { findJob } from '../queue/jobs.store.ts';
import { requestJob } from '../queue/jobs.ts';
import { done } from '../queue/verdict.ts';
import { defineWorker } from '../queue/worker.ts';
import { withJobSpace } from './reserve-space.ts';

const MB = 2 ** 20;

/** Opens a disk of 100 MB with 80 MB free, and jobs with a given size that end on request. */
async function open(t: NodeTest) {
  const disk = { freeBytes: 80 * MB, totalBytes: 100 * MB };
  let gate = Promise.withResolvers<void>();
  let running = 0;
  const worker = defineWorker({
    type: 'analysis',
    args: storedJson('test job', z.object({ mb: z.number() })),
    concurrency: () => 4,
    attempts: 2,
    runningStatus: 'processing',
    perform: ({ mb }, run, context) =>
      withJobSpace(context, run, mb * MB, async () => {
        running += 1;
        await gate.promise;
        running -= 1;
        return done();
      }),
  });
  const context = await openTestContext(t, { workers: [worker], measureSpace: async () => ({ ...disk }) });
  const user = await insertTestUser(context);
  const ask = async (mb: number) => {
    const request = {
      type: 'analysis' as const,
      user_id: user.id,
      subject: { kind: 'track', id: await insertTestTrack(context, user.id) },
      args: { mb },
    };
    return (await context.db.transaction().execute((tx) => requestJob(context, tx, request))).id;
  };
  return {
    context,
    disk,
    ask,
    run: () => context.queue.runOne(context),
    untilRunning: (count: number) =>
      eventually(
        () => running,
        (now) => now === count,
      ),
    letGo: () => {
      gate.resolve();
      gate = Promise.withResolvers<void>();
    },
    stateOf: async (id: string) => {
      const job = await findJob(context.db, id);
      return [job?.status, job?.attempt, job?.message, job?.error];
    },
  };
}

test('requeues a job that does not fit beside running reservations, with the numbers', async (t) => {
  const { ask, run, untilRunning, letGo, stateOf, context } = await open(t);
  const first = await ask(50);
  const holding = run();
  await untilRunning(1);
  const second = await ask(40);
  await run();
  const waits = 'Waiting for disk space: needs 40 MB, 30 MB are free';
  assert.deepEqual(await stateOf(second), ['queued', 0, waits, null]);
  letGo();
  await holding;
  assert.equal((await stateOf(first))[0], 'completed');
  const again = run();
  await untilRunning(1);
  letGo();
  await again;
  assert.equal((await stateOf(second))[0], 'completed');
  assert.deepEqual(await context.db.selectFrom('disk_reservations').selectAll().execute(), []);
});

test('runs only one of two concurrent jobs that fit only separately', async (t) => {
  const { ask, run, untilRunning, letGo, stateOf } = await open(t);
  const ids = [await ask(50), await ask(50)];
  const runs = [run(), run()];
  await untilRunning(1);
  await Promise.race(runs);
  const states = await Promise.all(ids.map(stateOf));
  assert.deepEqual(new Set(states.map(([status]) => status)), new Set(['processing', 'queued']));
  letGo();
  await Promise.all(runs);
});

test('fails a job that can never fit on the disk, with the numbers', async (t) => {
  const { ask, run, stateOf } = await open(t);
  const id = await ask(101);
  await run();
  const [status, , , error] = await stateOf(id);
  assert.equal(status, 'failed');
  assert.match(String(error), /^Not enough disk space: needs 101 MB, the disk has 100 MB in all/);
});

test('ignores reservations of dead processes: with a lost lease, or not renewed', async (t) => {
  const { ask, run, untilRunning, letGo, stateOf, context } = await open(t);
  const dead = await ask(60);
  const holding = run();
  await untilRunning(1);
  const job = await findJob(context.db, dead);
  // Simulates that another process has requeued the job.
  await context.db.updateTable('jobs').set({ lease_id: null }).where('id', '=', dead).execute();
  const second = await ask(60);
  const runs = [run()];
  await untilRunning(2);
  await context.db
    .updateTable('jobs')
    .set({ lease_id: job?.lease_id ?? null })
    .where('id', '=', dead)
    .execute();
  await context.db
    .updateTable('disk_reservations')
    .set({ until: new Date(0) })
    .execute();
  const third = await ask(60);
  runs.push(run());
  await untilRunning(3);
  letGo();
  await Promise.all([holding, ...runs]);
  assert.equal((await stateOf(second))[0], 'completed');
  assert.equal((await stateOf(third))[0], 'completed');
});

test('requeues a separation until there is space for its stems', async (t) => {
  let freeBytes = 10 ** 9;
  const library = await openLibrary(t, { measureSpace: async () => ({ freeBytes, totalBytes: 10 ** 9 }) });
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 1 }));
  const { job_id } = (await library.ask(separate, { body: { track_id } })).body.data;
  freeBytes = 500_000;
  await library.context.queue.runOne(library.context);
  const shown = (await library.ask(getJob, { params: { id: job_id } })).body.data;
  assert.equal(shown.message, 'Waiting for disk space: needs 689.5 kB, 488.3 kB are free');
  assert.deepEqual([shown.status, shown.attempt], ['queued', 0]);
  freeBytes = 10 ** 9;
  await drainJobs(library.context);
  assert.equal((await library.ask(getJob, { params: { id: job_id } })).body.data.status, 'completed');
});

test('rejects an upload that does not fit on the disk with the numbers, and leaves nothing', async (t) => {
  const measureSpace = async () => ({ freeBytes: 50_000, totalBytes: 10 ** 9 });
  const library = await openLibrary(t, { measureSpace });
  const refused = await library.upload(await testWav({ seconds: 1 }));
  assert.equal(refused.status, 503);
  assert.match(
    refused.error.error,
    /^Not enough disk space on the server: this file needs 17\d\.\d kB, 48\.8 kB are free/,
  );
  assert.deepEqual(await library.storedFiles(), []);
  assert.equal((await library.ask(getUsage)).body.data.storage.expected_bytes, 0);
});
