import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pause } from '@stem-studio/server/platform/clock';
import { requestJob } from '@stem-studio/server/platform/queue/jobs';
import { findJob } from '@stem-studio/server/platform/queue/jobs.store';
import { done } from '@stem-studio/server/platform/queue/verdict';
import { defineWorker } from '@stem-studio/server/platform/queue/worker';
import { openTestContext } from '@stem-studio/server/testing/test-context';
import { insertTestTrack } from '@stem-studio/server/testing/test-track';
import { insertTestUser } from '@stem-studio/server/testing/test-user';
import { z } from 'zod';
import { storedJson } from '../packages/server/src/platform/db/stored-json.ts';
import type { Bench, BenchRow } from './bench.ts';

const child = fileURLToPath(new URL('../packages/server/src/testing/worker-child.ts', import.meta.url));
const samples = 100;

const quantile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  const begun = new Map<string, PromiseWithResolvers<number>>();
  const worker = defineWorker({
    type: 'analysis',
    args: storedJson('test job', z.strictObject({})),
    concurrency: () => 1,
    attempts: 2,
    runningStatus: 'processing',
    perform: (_args, run) => {
      begun.get(run.jobId)?.resolve(performance.now());
      return Promise.resolve(done());
    },
  });
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const context = await openTestContext(lifetime, { workers: [worker], isSupervising: true });
    const user = await insertTestUser(context);
    const track_id = await insertTestTrack(context, user.id);
    const ask = (id?: string) =>
      context.db.transaction().execute((tx) =>
        requestJob(context, tx, {
          type: 'analysis',
          user_id: user.id,
          subject: { kind: 'track', id: track_id },
          args: {},
          id,
        }),
      );

    // Recovery: another process starts a job and is killed; then this one runs the job.
    const { id } = await ask();
    const killedWorker = spawn(
      process.execPath,
      [child, JSON.stringify(context.connection), context.connection.database ?? ''],
      { stdio: 'ignore' },
    );
    while ((await findJob(context.db, id))?.status !== 'processing') await pause(5);
    begun.set(id, Promise.withResolvers());
    await context.queue.start(context);
    killedWorker.kill('SIGKILL');
    const killedMs = performance.now();
    await once(killedWorker, 'exit');
    const recoverySeconds = ((await begun.get(id)?.promise) ?? 0) - killedMs;
    log(`a killed worker's job began again after ${(recoverySeconds / 1000).toFixed(1)} s`);

    const waits: number[] = [];
    for (let i = 0; i < samples; i++) {
      const jobId = crypto.randomUUID();
      begun.set(jobId, Promise.withResolvers());
      const askedMs = performance.now();
      await ask(jobId);
      waits.push(((await begun.get(jobId)?.promise) ?? 0) - askedMs);
      await pause(20);
    }
    waits.sort((a, b) => a - b);
    return [
      { what: 'enqueue to start, p50', value: quantile(waits, 0.5), unit: 'ms', bar: '≤ 100 ms' },
      { what: 'enqueue to start, p95', value: quantile(waits, 0.95), unit: 'ms' },
      { what: "a killed worker's job is taken up", value: recoverySeconds / 1000, unit: 's', bar: '≤ 15 s' },
    ];
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the waiting time of a job, and its recovery after its worker is killed. */
export const bench: Bench = {
  name: 'queue',
  about: 'Jobs from their request to their first instruction; recovery after a kill -9 of the worker.',
  run: ({ log }) => measure(log),
};
