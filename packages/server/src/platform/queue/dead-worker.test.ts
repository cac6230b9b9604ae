import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { openTestContext } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { pause } from '../clock.ts';
import { storedJson } from '../db/stored-json.ts';
import { findJob } from './jobs.store.ts';
import { requestJob } from './jobs.ts';
import { done } from './verdict.ts';
import { defineWorker } from './worker.ts';

const child = fileURLToPath(new URL('../../testing/worker-child.ts', import.meta.url));

test('retries the job of a killed worker in another worker, as the next attempt', async (t) => {
  const worker = defineWorker({
    type: 'analysis',
    args: storedJson('test job', z.strictObject({})),
    concurrency: () => 1,
    attempts: 2,
    runningStatus: 'processing',
    perform: () => Promise.resolve(done()),
  });
  const context = await openTestContext(t, { workers: [worker], isSupervising: true });
  const user = await insertTestUser(context);
  const trackId = await insertTestTrack(context, user.id);
  const request = {
    type: 'analysis',
    user_id: user.id,
    subject: { kind: 'track', id: trackId },
    args: {},
  } as const;
  const { id } = await context.db.transaction().execute((tx) => requestJob(context, tx, request));

  const { connectionString, database } = context.connection;
  const where = connectionString ?? JSON.stringify(context.connection);
  const killed = spawn(process.execPath, [child, where, database ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => rm(`${tmpdir()}/stem-studio-worker-${killed.pid}`, { recursive: true, force: true }));
  while ((await findJob(context.db, id))?.status !== 'processing') await pause(20);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const left = await findJob(context.db, id);
  assert.deepEqual([left?.status, left?.attempt], ['processing', 1]);

  await context.queue.start(context);
  while ((await findJob(context.db, id))?.status !== 'completed') await pause(50);
  assert.equal((await findJob(context.db, id))?.attempt, 2);
});
