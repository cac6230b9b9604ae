import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelJob, getJob, listJobs, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack, getTrack } from '@stem-studio/contract/endpoints/tracks';
import { sql } from 'kysely';
import { systemClock } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { createOlderDatabase } from '../../testing/test-postgres.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { insertTestUser } from '../../testing/test-user.ts';

const statuses = ['queued', 'downloading', 'processing', 'completed', 'failed'] as const;
const createdAt = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index));
const startedAt = '2026-01-01T00:01:00.000Z';
const finishedAt = '2026-01-01T00:02:00.000Z';
const source = { kind: 'catalog', catalog_id: 'x' };

/** Creates a database from before jobs had subjects, with one job in every state, and upgrades it. */
async function upgradeOldJobs() {
  const database = await createOlderDatabase('0035-job-subjects.sql');
  const { db, close } = openDatabase({
    connection: database.connection,
    log: createLog('silent'),
    maxConnections: 2,
  });
  const old = { db, clock: systemClock } as Context;
  const user = await insertTestUser(old);
  const trackId = await insertTestTrack(old, user.id, 'An old track');
  const ids = statuses.map(() => newId());
  for (const [index, status] of statuses.entries()) {
    const isRunning = status === 'downloading' || status === 'processing';
    const isFinished = status === 'completed' || status === 'failed';
    await sql`insert into jobs (id, type, user_id, track_id, args, status, progress, message, error, attempt,
        max_attempts, lease_id, created_at, started_at, finished_at, updated_at)
      values (${ids[index]}, 'download', ${user.id}, ${trackId}, ${JSON.stringify({ source, quality: 'high' })}, ${status},
        ${index * 10}, ${`message ${index}`}, ${status === 'failed' ? 'it did not work' : null}, 1, 3,
        ${isRunning ? newId() : null}, ${createdAt(index)}, ${status === 'queued' ? null : startedAt},
        ${isFinished ? finishedAt : null}, now())`.execute(db);
  }
  await close();
  await database.upgrade();
  return { database, user, trackId, ids };
}

test('jobs in every state answer the same after the upgrade as before', async (t) => {
  const { database, user, trackId, ids } = await upgradeOldJobs();
  const library = await openLibrary(t, { database });
  const ask: typeof library.ask = (spec, question) => library.ask(spec, question, user);
  const expected = statuses.map((status, index) => ({
    id: ids[index],
    type: 'download',
    track_id: trackId,
    track_title: 'An old track',
    import_id: null,
    status,
    progress: index * 10,
    message: `message ${index}`,
    eta_seconds: null,
    error: status === 'failed' ? 'it did not work' : null,
    attempt: 1,
    max_attempts: 3,
    created_at: createdAt(index).toISOString(),
    started_at: status === 'queued' ? null : startedAt,
    finished_at: status === 'completed' || status === 'failed' ? finishedAt : null,
  }));
  const { data } = (await ask(listJobs, { query: { track_id: trackId } })).body;
  assert.deepEqual(data, expected.toReversed());
  for (const [index, id] of ids.entries())
    assert.deepEqual((await ask(getJob, { params: { id } })).body.data, expected[index]);
  const shown = (await ask(getTrack, { params: { id: trackId } })).body.data;
  assert.equal(shown.download?.job_id, ids.at(-1));

  // Cancel and retry find them, and so does the deletion of their track.
  for (const id of ids.slice(0, 2)) assert.equal((await ask(cancelJob, { params: { id } })).status, 204);
  // The third job is still running and does the same work.
  const retried = await ask(retryJob, { params: { id: ids[4] ?? '' } });
  assert.deepEqual([retried.status, retried.body.data.id], [200, ids[2]]);
  assert.equal((await ask(deleteTrack, { params: { id: trackId } })).status, 204);
  const after = (await ask(listJobs)).body.data.map(({ status, error }) => [status, error]);
  assert.deepEqual(after, [
    ['failed', 'it did not work'],
    ['completed', null],
    ['failed', 'cancelled'],
    ['failed', 'cancelled'],
    ['failed', 'cancelled'],
  ]);
});
