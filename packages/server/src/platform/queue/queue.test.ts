import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelledError } from '@stem-studio/contract/resources/job';
import { z } from 'zod';
import { publishProgress } from '../../features/jobs/index.ts';
import {
  drainJobs,
  openTestContext,
  type TestContext,
  type TestLifetime,
} from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { pause } from '../clock.ts';
import { storedJson } from '../db/stored-json.ts';
import { RetryableError } from '../errors.ts';
import type { BusMessage } from '../socket/bus.ts';
import { findJob, newestJobs } from './jobs.store.ts';
import { cancelJob, requestJob } from './jobs.ts';
import { done, fail, snooze, type Verdict } from './verdict.ts';
import { defineWorker, type JobRun, type WorkerOptions } from './worker.ts';

type Args = { n: number };
type Perform = (args: Args, run: JobRun) => Promise<Verdict>;

async function open(t: TestLifetime, perform: Perform, options: Partial<WorkerOptions<Args>> = {}) {
  const worker = defineWorker<Args>({
    type: 'analysis',
    args: storedJson('test job', z.strictObject({ n: z.int() })),
    concurrency: () => 1,
    attempts: 3,
    runningStatus: 'processing',
    perform,
    ...options,
  });
  const pipeline = { 'job.changed': [publishProgress] };
  const context = await openTestContext(t, { workers: [worker], pipeline });
  const user = await insertTestUser(context);
  const trackId = await insertTestTrack(context, user.id);
  const ask = (n = 1) =>
    context.db.transaction().execute((tx) =>
      requestJob(context, tx, {
        type: 'analysis',
        user_id: user.id,
        subject: { kind: 'track', id: trackId },
        args: { n },
      }),
    );
  return { context, user, trackId, ask };
}

async function until<T>(what: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const found = await what();
    if (found) return found;
    await pause(10);
  }
}

const statusIs = (context: TestContext, id: string, status: string) =>
  until(async () => {
    const row = await findJob(context.db, id);
    return row?.status === status && row;
  });

test('creates a job only if the transaction commits', async (t) => {
  const { context, user, trackId } = await open(t, () => Promise.resolve(done()));
  const asked = context.db.transaction().execute(async (tx) => {
    await requestJob(context, tx, {
      type: 'analysis',
      user_id: user.id,
      subject: { kind: 'track', id: trackId },
      args: { n: 1 },
    });
    throw new Error('the caller changed its mind');
  });
  await assert.rejects(asked, /changed its mind/);
  assert.equal(await drainJobs(context), 0);
  assert.equal((await newestJobs(context.db, 'track', [trackId])).size, 0);
});

test('stores result, 100 percent and end time of a completed job in one transaction', async (t) => {
  const { context, ask, trackId } = await open(t, async ({ n }, run) =>
    done(async (tx) => {
      const result = JSON.stringify({ n });
      await tx
        .insertInto('analyses')
        .values({ job_id: run.jobId, track_id: run.subject?.id ?? '', result, created_at: new Date() })
        .execute();
    }),
  );
  const asked = await ask(7);
  assert.equal(asked.status, 'queued');
  assert.equal(asked.attempt, 0);
  assert.equal(await drainJobs(context), 1);
  const row = await findJob(context.db, asked.id);
  assert.equal(row?.status, 'completed');
  assert.equal(row.progress, 100);
  assert.equal(row.attempt, 1);
  assert.equal(row.lease_id, null);
  assert.ok(row.finished_at && row.started_at && row.finished_at >= row.started_at);
  const results = await context.db
    .selectFrom('analyses')
    .select('result')
    .where('track_id', '=', trackId)
    .execute();
  assert.deepEqual(
    results.map((found) => found.result),
    [{ n: 7 }],
  );
});

test('retries a retryable error up to the maximum number of attempts, then fails with its message', async (t) => {
  const seen: number[] = [];
  const { context, ask } = await open(t, (_args, run) => {
    seen.push(run.attempt);
    throw new RetryableError('the network is down');
  });
  const { id } = await ask();
  await context.queue.runOne(context);
  const waiting = await findJob(context.db, id);
  assert.equal(waiting?.status, 'queued');
  assert.equal(waiting.message, 'attempt 2 of 3');
  assert.equal(await drainJobs(context), 2);
  assert.deepEqual(seen, [1, 2, 3]);
  const row = await findJob(context.db, id);
  assert.equal(row?.status, 'failed');
  assert.equal(row.error, 'the network is down');
});

test('fails the job at once on any other error, with a neutral message for internal errors', async (t) => {
  const { context, ask } = await open(t, ({ n }) => {
    if (n === 1) throw new Error('the file holds no sound');
    throw new TypeError('undefined is not a function');
  });
  const first = await ask(1);
  const second = await ask(2);
  assert.equal(await drainJobs(context), 2);
  assert.equal((await findJob(context.db, first.id))?.error, 'the file holds no sound');
  assert.match(
    (await findJob(context.db, second.id))?.error ?? '',
    /^something went wrong inside the service/,
  );
});

test('fails a job without another attempt, or requeues it without counting the attempt, by verdict', async (t) => {
  let snoozed = 0;
  const { context, ask } = await open(t, () => {
    snoozed += 1;
    return Promise.resolve(snoozed === 1 ? snooze(60, 'the engine is busy') : fail('no such model'));
  });
  const { id } = await ask();
  await context.queue.runOne(context);
  const waiting = await findJob(context.db, id);
  assert.deepEqual(
    [waiting?.status, waiting?.attempt, waiting?.message],
    ['queued', 0, 'the engine is busy'],
  );
  await drainJobs(context);
  const row = await findJob(context.db, id);
  assert.deepEqual([row?.status, row?.attempt, row?.error], ['failed', 1, 'no such model']);
});

test('rolls back the results of a verdict if recording them fails', async (t) => {
  const { context, ask, trackId } = await open(t, async (_args, run) =>
    done(async (tx) => {
      const row = {
        job_id: run.jobId,
        track_id: run.subject?.id ?? '',
        result: '{}',
        created_at: new Date(),
      };
      await tx.insertInto('analyses').values(row).execute();
      throw new Error('the rows do not fit');
    }),
  );
  const { id } = await ask();
  await drainJobs(context);
  assert.equal((await findJob(context.db, id))?.error, 'the rows do not fit');
  const rows = await context.db.selectFrom('analyses').selectAll().where('track_id', '=', trackId).execute();
  assert.equal(rows.length, 0);
});

test('never starts a cancelled job that was queued', async (t) => {
  let failedWith = '';
  const { context, ask } = await open(t, () => Promise.resolve(done()), {
    failed: (_args, _run, _context, _tx, error) => {
      failedWith = error;
      return Promise.resolve();
    },
  });
  const { id } = await ask();
  assert.equal(await cancelJob(context, id), true);
  assert.equal(await drainJobs(context), 0);
  const row = await findJob(context.db, id);
  assert.deepEqual([row?.status, row?.error], ['failed', cancelledError]);
  assert.equal(failedWith, cancelledError);
  assert.equal(await cancelJob(context, id), false);
});

test('interrupts a cancelled running job and discards its late result', async (t) => {
  let aborted: unknown;
  const { context, ask } = await open(t, async (_args, run) => {
    await new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve()));
    aborted = run.signal.reason;
    return done(() => Promise.reject(new Error('must not be recorded')));
  });
  await context.queue.start(context);
  const { id } = await ask();
  await statusIs(context, id, 'processing');
  assert.equal(await cancelJob(context, id), true);
  await until(() => Promise.resolve(aborted));
  const row = await findJob(context.db, id);
  assert.deepEqual([row?.status, row?.error], ['failed', cancelledError]);
  assert.equal((aborted as Error).name, 'JobCancelledError');
});

test('requeues running jobs on stop without counting their attempts', async (t) => {
  const { context, ask } = await open(t, async (_args, run) => {
    await new Promise<void>((resolve) => run.signal.addEventListener('abort', () => resolve()));
    throw run.signal.reason;
  });
  await context.queue.start(context);
  const { id } = await ask();
  await statusIs(context, id, 'processing');
  await context.queue.stop();
  const row = await findJob(context.db, id);
  assert.deepEqual([row?.status, row?.attempt, row?.lease_id], ['queued', 0, null]);
});

test('runs at most `concurrency` jobs at once in a process', async (t) => {
  let running = 0;
  let most = 0;
  const both = Promise.withResolvers<void>();
  const { context, ask } = await open(
    t,
    async () => {
      running += 1;
      most = Math.max(most, running);
      // The first waits for the second, however late it starts.
      if (running === 2) both.resolve();
      await both.promise;
      await pause(30);
      running -= 1;
      return done();
    },
    { concurrency: () => 2 },
  );
  await context.queue.start(context);
  const jobs = await Promise.all(Array.from({ length: 6 }, (_unused, n) => ask(n)));
  for (const job of jobs) await statusIs(context, job.id, 'completed');
  assert.equal(most, 2);
});

test('reports progress that never decreases to subscribers of the library', async (t) => {
  const { context, ask, user } = await open(t, async (_args, run) => {
    await run.report({ progress: 40, message: 'finding beats' });
    await run.report({ progress: 20 });
    await run.report({ status: 'processing', progress: 90.7, eta_seconds: 3.4 });
    await pause(150);
    return done();
  });
  const messages: BusMessage[] = [];
  context.bus.subscribe(`library:${user.id}`, (message) => messages.push(message));
  const { id } = await ask();
  await drainJobs(context);
  await until(() => Promise.resolve(messages.at(-1)?.payload['status'] === 'completed'));
  const states = messages.map(({ payload }) => [payload['status'], payload['progress'], payload['message']]);
  assert.deepEqual(states, [
    ['queued', 0, 'waiting for other jobs to finish'],
    ['processing', 0, ''],
    ['processing', 40, 'finding beats'],
    ['processing', 90, 'finding beats'],
    ['completed', 100, ''],
  ]);
  assert.deepEqual(new Set(messages.map((message) => message.payload['job_id'])), new Set([id]));
});

test('discards progress and result of an attempt that has lost its lease', async (t) => {
  let attempts = 0;
  const gate = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const { context, ask } = await open(t, async (_args, run) => {
    attempts += 1;
    signals.push(run.signal);
    if (attempts > 1) return done();
    await gate.promise;
    await run.report({ progress: 99, message: 'from the dead' });
    return done(() => Promise.reject(new Error('must not be recorded')));
  });
  const { id } = await ask();
  const first = context.queue.runOne(context);
  const held = await statusIs(context, id, 'processing');
  // pg-boss does this with the job of a worker whose heartbeat has stopped.
  await context.db.transaction().execute((tx) => context.queue.send(tx, held));
  assert.equal(await context.queue.runOne(context), true);
  gate.resolve();
  await first;
  const row = await findJob(context.db, id);
  assert.deepEqual([row?.status, row?.attempt, row?.progress], ['completed', 2, 100]);
  assert.equal(signals[0]?.aborted, true);
});

test('fails a job with the reason when its attempts were exhausted by crashes', async (t) => {
  const { context, ask } = await open(t, () => Promise.resolve(done()));
  const { id } = await ask();
  await context.db
    .updateTable('jobs')
    .set({ attempt: 3, status: 'processing' })
    .where('id', '=', id)
    .execute();
  await drainJobs(context);
  const row = await findJob(context.db, id);
  assert.equal(row?.status, 'failed');
  assert.match(row.error ?? '', /interrupted 3 times/);
});

test('fails a job with unreadable arguments without crashing the worker', async (t) => {
  const { context, user, trackId } = await open(t, () => Promise.resolve(done()));
  const args = { n: 'seven' };
  const { id } = await context.db.transaction().execute((tx) =>
    requestJob(context, tx, {
      type: 'analysis',
      user_id: user.id,
      subject: { kind: 'track', id: trackId },
      args,
    }),
  );
  await drainJobs(context);
  assert.equal((await findJob(context.db, id))?.status, 'failed');
});
