import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { eventually } from '../../testing/eventually.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { storedJson } from '../db/stored-json.ts';
import { RetryableError } from '../errors.ts';
import { newId } from '../ids.ts';
import { sweepQueueShares } from './fair-share.store.ts';
import { requestJobs } from './job-batches.ts';
import { findJob } from './jobs.store.ts';
import { type JobRequest, promoteJob, requestJob, requestJobOnce } from './jobs.ts';
import { done, type Verdict } from './verdict.ts';
import { defineWorker, type JobRun, type WorkerOptions } from './worker.ts';

type Args = { seconds?: number };

/** Opens a line with one lane for three users, and records the order in which their jobs start. */
async function open(
  t: TestLifetime,
  perform: (run: JobRun) => Promise<Verdict> = () => Promise.resolve(done()),
  options: Partial<WorkerOptions<Args>> = {},
) {
  const starts: { userId: number; jobId: string }[] = [];
  const worker = defineWorker<Args>({
    type: 'analysis',
    args: storedJson('test job', z.strictObject({ seconds: z.int().optional() })),
    concurrency: () => 1,
    attempts: 3,
    runningStatus: 'processing',
    costs: (_tx, asked) => Promise.resolve(asked.map(({ args }) => args.seconds ?? 0)),
    perform: (_args, run) => {
      starts.push({ userId: run.userId, jobId: run.jobId });
      return perform(run);
    },
    ...options,
  });
  const context = await openTestContext(t, { workers: [worker] });
  const people: { readonly id: number; readonly trackId: string }[] = [];
  for (let i = 0; i < 3; i++) {
    const user = await insertTestUser(context);
    people.push({ id: user.id, trackId: await insertTestTrack(context, user.id) });
  }
  const requestOf = (who: number, more: Partial<JobRequest> = {}): JobRequest => ({
    type: 'analysis',
    user_id: people[who]?.id ?? 0,
    subject: { kind: 'track', id: people[who]?.trackId ?? '' },
    args: {},
    ...more,
  });
  const askMany = (who: number, count: number, args: Args = {}) => {
    const batch_id = newId();
    const requests = Array.from({ length: count }, () => requestOf(who, { batch_id, args }));
    return context.db.transaction().execute((tx) => requestJobs(context, tx, requests));
  };
  const ask = (who: number, more: Partial<JobRequest> = {}) =>
    context.db.transaction().execute((tx) => requestJob(context, tx, requestOf(who, more)));
  const runSome = async (count: number) => {
    const before = starts.length;
    for (let i = 0; i < count; i++) assert.equal(await context.queue.runOne(context), true);
    return starts.slice(before).map(({ userId }) => people.findIndex(({ id }) => id === userId));
  };
  return { context, starts, people, requestOf, askMany, ask, runSome };
}

test('starts a job within the next two after 40 jobs of another user', async (t) => {
  const { askMany, ask, runSome } = await open(t);
  await askMany(0, 40);
  await runSome(1);
  await ask(1);
  assert.ok((await runSome(2)).includes(1));
});

test("starts a single request of a user before the same user's import", async (t) => {
  const { askMany, ask, context, starts } = await open(t);
  await askMany(0, 40);
  await context.queue.runOne(context);
  const { id } = await ask(0);
  await context.queue.runOne(context);
  assert.equal(starts.at(-1)?.jobId, id);
});

test('alternates between the imports of two users, and includes a third at once', async (t) => {
  const { askMany, runSome } = await open(t);
  await askMany(0, 12);
  await askMany(1, 12);
  const order = await runSome(6);
  assert.deepEqual(
    [order.filter((who) => who === 0).length, order.filter((who) => who === 1).length],
    [3, 3],
  );
  await askMany(2, 12);
  const later = await runSome(6);
  for (const who of [0, 1, 2]) assert.equal(later.filter((one) => one === who).length, 2, String(later));
});

test('shares the queue by the length of the tracks, not by their number', async (t) => {
  const { askMany, runSome } = await open(t);
  await askMany(0, 10, { seconds: 1200 });
  await askMany(1, 10, { seconds: 240 });
  const order = await runSome(12);
  assert.equal(order.filter((who) => who === 0).length, 2, String(order));
});

test('gives follow-up jobs the class of the job they follow: batch for an import, interactive for a single request', async (t) => {
  const { askMany, ask, context } = await open(t);
  const [first] = await askMany(0, 1);
  const single = await ask(0);
  assert.equal((await ask(0, { follows: first?.id ?? '' })).queue_class, 'batch');
  assert.equal((await ask(0, { follows: single.id })).queue_class, 'interactive');
  // The followed job may have been deleted.
  assert.equal((await ask(0, { follows: newId() })).queue_class, 'interactive');
  assert.equal((await findJob(context.db, first?.id ?? ''))?.queue_class, 'batch');
});

test('promotes a queued import job that is requested individually, and does not run it twice', async (t) => {
  const { askMany, context, requestOf, starts } = await open(t);
  await askMany(0, 5, { seconds: 100 });
  const [wanted] = await askMany(0, 1, { seconds: 77 });
  const accepted = await context.db
    .transaction()
    .execute((tx) =>
      requestJobOnce(
        context,
        tx,
        requestOf(0, { args: { seconds: 77 } }),
        (job) => job.args['seconds'] === 77,
      ),
    );
  assert.deepEqual([accepted.existing, accepted.job.id], [true, wanted?.id]);
  await context.queue.runOne(context);
  await context.queue.runOne(context);
  assert.ok(starts.some(({ jobId }) => jobId === wanted?.id));
  while (await context.queue.runOne(context));
  assert.equal(starts.filter(({ jobId }) => jobId === wanted?.id).length, 1);
  const finished = await findJob(context.db, wanted?.id ?? '');
  assert.ok(finished);
  const same = await context.db.transaction().execute((tx) => promoteJob(context, tx, finished));
  assert.equal(same.status, 'completed');
});

test('keeps the position of a job that is retried or was interrupted', async (t) => {
  let failures = 1;
  const { askMany, context, starts } = await open(t, () => {
    failures -= 1;
    return failures >= 0
      ? Promise.reject(new RetryableError('the network is down'))
      : Promise.resolve(done());
  });
  const [first] = await askMany(0, 10);
  await context.queue.runOne(context);
  assert.equal((await findJob(context.db, first?.id ?? ''))?.message, 'attempt 2 of 3');
  await context.queue.runOne(context);
  assert.deepEqual(
    starts.map(({ jobId }) => jobId),
    [first?.id, first?.id],
  );
});

test('keeps the queue order in the database across restarts', async (t) => {
  const held = Promise.withResolvers<void>();
  const { askMany, ask, context, starts } = await open(t, async (run) => {
    await Promise.race([
      held.promise,
      new Promise((resolve) => run.signal.addEventListener('abort', resolve)),
    ]);
    if (run.signal.aborted) throw run.signal.reason;
    return done();
  });
  await askMany(0, 10);
  await context.queue.start(context);
  await eventually(
    async () => starts.length,
    (count) => count === 1,
  );
  await context.queue.stop();
  const single = await ask(1);
  const flows = await context.db.selectFrom('queue_flows').selectAll().execute();
  assert.equal(flows.length, 1);
  const first = await findJob(context.db, starts[0]?.jobId ?? '');
  assert.deepEqual([first?.status, first?.attempt], ['queued', 0]);
  // For another process, the interrupted job and the other user's job are first in the line.
  assert.ok(single.queue_tag <= (first?.queue_finish_tag ?? 0));
  const waiting = await context.db
    .selectFrom('jobs')
    .select('id')
    .where('finished_at', 'is', null)
    .orderBy('queue_tag')
    .orderBy('created_at')
    .limit(2)
    .execute();
  assert.deepEqual(new Set(waiting.map(({ id }) => id)), new Set([first?.id, single.id]));
});

test('resets a line without unfinished jobs, but not one with waiting jobs', async (t) => {
  const { askMany, runSome, context } = await open(t);
  await askMany(0, 3);
  await runSome(2);
  await sweepQueueShares(context.db);
  const lines = () => context.db.selectFrom('queue_lines').selectAll().execute();
  assert.equal((await lines()).length, 1);
  await runSome(1);
  await sweepQueueShares(context.db);
  assert.deepEqual(await lines(), []);
  assert.deepEqual(await context.db.selectFrom('queue_flows').selectAll().execute(), []);
});
