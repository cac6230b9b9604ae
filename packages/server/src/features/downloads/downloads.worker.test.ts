import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { getTrack, restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import type { Db } from '../../platform/db/database.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { trackSubject } from '../tracks/index.ts';
import { downloadWorker } from './downloads.worker.ts';

test('keeps an upload whose track is deleted while its job starts as long as the track can be restored', async (t) => {
  const library = await openLibrary(t);
  const { track_id, job_id } = (await library.upload(await testWav({ seconds: 0.2 }))).body.data;
  // Simulates a worker that started before the deletion and looks up the track after it.
  await library.context.db
    .updateTable('tracks')
    .set({ deleted_at: library.context.clock.now() })
    .where('id', '=', track_id)
    .execute();
  await drainJobs(library.context);
  await library.ask(restoreTrack, { params: { id: track_id } });
  const failed = (await library.ask(getJob, { params: { id: job_id } })).body.data;
  assert.deepEqual([failed.status, failed.error], ['failed', 'the track was deleted']);
  await library.ask(retryJob, { params: { id: job_id } });
  await drainJobs(library.context);
  const { data } = (await library.ask(getTrack, { params: { id: track_id } })).body;
  assert.deepEqual([data.download?.status, data.audio?.codec], ['completed', 'wav']);
});

test('does not report a missing catalog file when the database and its socket file are unavailable', async (t) => {
  const library = await openLibrary(t);
  const away = Object.assign(new Error('connect ENOENT /run/.s.PGSQL.5432'), {
    code: 'ENOENT',
    syscall: 'connect',
  });
  const db = {
    selectFrom: () => {
      throw away;
    },
  } as unknown as Db;
  const id = '01890f6e-0000-7000-8000-000000000000';
  const args = {
    source: { kind: 'upload', source_id: id, sha256: 'x', file_name: 'a.wav' },
    quality: 'high',
  };
  const run = {
    jobId: id,
    subject: trackSubject(id),
    userId: library.user.id,
    attempt: 1,
    maxAttempts: 3,
    leaseId: id,
    expectedBytes: 0,
    signal: new AbortController().signal,
    report: () => Promise.resolve(),
  };
  await assert.rejects(downloadWorker.perform(args, run, { ...library.context, db }), away);
});
