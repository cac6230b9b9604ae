import { pause } from '@stem-studio/server/platform/clock';
import { requestJobs } from '@stem-studio/server/platform/queue/job-batches';
import { type JobRequest, requestJob } from '@stem-studio/server/platform/queue/jobs';
import { done } from '@stem-studio/server/platform/queue/verdict';
import { defineWorker } from '@stem-studio/server/platform/queue/worker';
import { openTestContext } from '@stem-studio/server/testing/test-context';
import { insertTestTrack } from '@stem-studio/server/testing/test-track';
import { insertTestUser } from '@stem-studio/server/testing/test-user';
import { z } from 'zod';
import { storedJson } from '../packages/server/src/platform/db/stored-json.ts';
import type { Bench, BenchRow } from './bench.ts';

const before = 40;
const jobMs = 250;
const listLength = 1000;

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  const begun = new Map<string, PromiseWithResolvers<number>>();
  const worker = defineWorker({
    type: 'analysis',
    args: storedJson('test job', z.strictObject({})),
    concurrency: () => 1,
    attempts: 2,
    runningStatus: 'processing',
    perform: async (_args, run) => {
      begun.get(run.jobId)?.resolve(performance.now());
      await pause(jobMs, run.signal);
      return done();
    },
  });
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const context = await openTestContext(lifetime, { workers: [worker] });
    const people = await Promise.all([insertTestUser(context), insertTestUser(context)]);
    const tracks = await Promise.all(people.map(({ id }) => insertTestTrack(context, id)));
    const requestOf = (who: number, more: Partial<JobRequest>): JobRequest => ({
      type: 'analysis',
      user_id: people[who]?.id ?? 0,
      subject: { kind: 'track', id: tracks[who] ?? '' },
      args: {},
      ...more,
    });
    const batch_id = crypto.randomUUID();
    const askMany = (count: number) =>
      context.db.transaction().execute((tx) =>
        requestJobs(
          context,
          tx,
          Array.from({ length: count }, () => requestOf(0, { batch_id })),
        ),
      );
    const waitOf = async (who: number, more: Partial<JobRequest>) => {
      const id = crypto.randomUUID();
      const started = Promise.withResolvers<number>();
      begun.set(id, started);
      const askedMs = performance.now();
      await context.db
        .transaction()
        .execute((tx) => requestJob(context, tx, requestOf(who, { ...more, id })));
      return started.promise.then((ms) => ms - askedMs);
    };

    await context.queue.start(context);
    await askMany(before);
    await pause(jobMs * 2);
    const [ofOther, ofSame, last] = await Promise.all([
      waitOf(1, {}),
      waitOf(0, {}),
      // First come, first served, the former order of all jobs: the last job of the same list.
      waitOf(0, { batch_id }),
    ]);
    log(`the whole list took ${((last ?? 0) / 1000).toFixed(1)} s`);
    await context.queue.stop();

    const askedMs = performance.now();
    await askMany(listLength);
    const enqueueMs = performance.now() - askedMs;
    const against = `first come, first served ${((last ?? 0) / 1000).toFixed(1)} s`;
    const behind = `behind ${before} jobs of ${jobMs} ms`;
    return [
      {
        what: `another user's job ${behind}: until it starts`,
        value: (ofOther ?? 0) / 1000,
        unit: 's',
        against,
      },
      { what: `the same user's single request ${behind}`, value: (ofSame ?? 0) / 1000, unit: 's', against },
      { what: `${listLength} jobs of a list are put in line`, value: enqueueMs, unit: 'ms' },
    ];
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the waiting time of a job after a long list of another or the same user. */
export const bench: Bench = {
  name: 'fair-queue',
  about:
    'One job behind a list of 40: how long it waits, beside the order of arrival; what putting a list in line costs.',
  run: ({ log }) => measure(log),
};
