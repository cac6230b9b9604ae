import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { analyze, getAnalysisJob } from '@stem-studio/contract/endpoints/analysis';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { downloadTrack, getDownloadJob } from '@stem-studio/contract/endpoints/downloads';
import { cancelJob, getJob, listJobs, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { lockUnfinishedJob } from '../../platform/queue/jobs.store.ts';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { untilSomebodyWaits } from '../../testing/waiting-for-lock.ts';

async function queueUpload(library: LibraryApp, seconds: number, fileName = 'song.wav') {
  return (await library.upload(await testWav({ seconds }), fileName)).body.data;
}

test('jobs are listed newest first in pages, filtered by type, status and track', async (t) => {
  const library = await openLibrary(t, { config: { autoAnalyze: true } });
  const stranger = await library.registerUser('admin');
  const one = await queueUpload(library, 0.1, 'one.wav');
  const two = await queueUpload(library, 0.2, 'two.wav');
  await library.ask(cancelJob, { params: { id: one.job_id } });
  const ids = async (query: Record<string, string | number>) =>
    (await library.ask(listJobs, { query })).body.data.map((job) => job.id);
  assert.deepEqual(await ids({}), [two.job_id, one.job_id]);
  assert.deepEqual(await ids({ page: 2, page_size: 1 }), [one.job_id]);
  assert.deepEqual(await ids({ status: 'failed' }), [one.job_id]);
  assert.deepEqual(await ids({ status: 'queued', type: 'download' }), [two.job_id]);
  assert.deepEqual(await ids({ type: 'analysis' }), []);
  assert.deepEqual(await ids({ track_id: one.track_id }), [one.job_id]);
  const { data, meta } = (await library.ask(listJobs, { query: { page_size: 1 } })).body;
  assert.deepEqual(meta, { page: 1, page_size: 1, total_count: 2, total_pages: 2 });
  const [job] = data;
  assert.deepEqual(
    [job?.type, job?.track_id, job?.track_title, job?.status, job?.attempt, job?.max_attempts],
    ['download', two.track_id, 'two', 'queued', 0, 3],
  );
  assert.equal((await library.ask(listJobs, {}, stranger)).body.meta.total_count, 0);
  for (const [name, value] of Object.entries({
    page: 0,
    page_size: 101,
    status: 'done',
    type: 'x',
    track_id: 1,
    a: 1,
  })) {
    const reply = await library.ask(listJobs, { query: { [name]: value } });
    assert.deepEqual([reply.status, Object.keys(reply.error.details ?? {})], [422, [name]]);
  }
});

test("another user's job is 404; an admin may read and cancel it, but not retry it", async (t) => {
  const library = await openLibrary(t);
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  const { job_id: id } = await queueUpload(library, 0.1);
  for (const spec of [getJob, cancelJob, retryJob])
    assert.equal((await library.ask(spec, { params: { id } }, stranger)).status, 404);
  assert.equal((await library.ask(getJob, { params: { id } }, admin)).body.data.id, id);
  assert.equal((await library.ask(cancelJob, { params: { id } }, admin)).status, 204);
  const { status, error } = (await library.ask(getJob, { params: { id } })).body.data;
  assert.deepEqual([status, error], ['failed', 'cancelled']);
  assert.equal((await library.ask(retryJob, { params: { id } }, admin)).status, 404);
  assert.equal((await library.ask(getJob, { params: { id: 'x' } })).status, 404);
});

test('a finished job cannot be cancelled', async (t) => {
  const library = await openLibrary(t);
  const done = await queueUpload(library, 0.1);
  await drainJobs(library.context);
  const ended = await queueUpload(library, 0.2);
  await library.ask(cancelJob, { params: { id: ended.job_id } });
  for (const [id, state] of [
    [done.job_id, 'completed'],
    [ended.job_id, 'failed'],
  ] as const) {
    const reply = await library.ask(cancelJob, { params: { id } });
    assert.deepEqual([reply.status, reply.error.code], [422, 'JOB_NOT_CANCELLABLE']);
    assert.match(reply.error.error, new RegExp(`this one is ${state}`));
    assert.deepEqual(reply.error.details, {});
  }
});

test('a failed job is retried as one new job with the same request, for any number of requests', async (t) => {
  const library = await openLibrary(t);
  const { job_id: id, track_id } = await queueUpload(library, 0.1);
  const early = await library.ask(retryJob, { params: { id } });
  assert.deepEqual([early.status, early.error.code], [422, 'JOB_NOT_RETRYABLE']);

  await library.ask(cancelJob, { params: { id } });
  const again = await library.ask(retryJob, { params: { id } });
  assert.equal(again.status, 201);
  const { data } = again.body;
  assert.notEqual(data.id, id);
  assert.deepEqual(
    [data.type, data.track_id, data.status, data.attempt],
    ['download', track_id, 'queued', 0],
  );
  const twice = await library.ask(retryJob, { params: { id } });
  assert.deepEqual([twice.status, twice.body.data.id], [200, data.id]);

  await drainJobs(library.context);
  assert.equal((await library.ask(getJob, { params: { id: data.id } })).body.data.status, 'completed');
  assert.equal((await library.ask(getJob, { params: { id } })).body.data.error, 'cancelled');
});

test('simultaneous requests for the same work create one job', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.5 }));
  const atOnce = async (ask: () => Promise<{ status: number; id: string }>) => {
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    assert.equal(new Set(answers.map((answer) => answer.id)).size, 1);
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
    return answers[0]?.id ?? '';
  };
  await atOnce(async () => {
    const { status, body } = await library.ask(analyze, { body: { track_id, features: ['key'] } });
    return { status, id: body.data.job_id };
  });
  const id = await atOnce(async () => {
    const { status, body } = await library.ask(separate, { body: { track_id } });
    return { status, id: body.data.job_id };
  });
  await library.ask(cancelJob, { params: { id } });
  await atOnce(async () => {
    const { status, body } = await library.ask(retryJob, { params: { id } });
    return { status, id: body.data.id };
  });
});

test('deleting a track while one of its jobs completes causes no deadlock', async (t) => {
  const library = await openLibrary(t);
  const { track_id, job_id } = await queueUpload(library, 0.1);
  const { db } = library.context;
  const deleting = await db.transaction().execute(async (tx) => {
    // The lock order of a completing worker: its job first, then the track.
    await lockUnfinishedJob(tx, job_id);
    const answer = library.ask(deleteTrack, { params: { id: track_id } });
    await untilSomebodyWaits(db);
    await tx.updateTable('tracks').set({ duration_ms: 1 }).where('id', '=', track_id).execute();
    return { answer };
  });
  assert.equal((await deleting.answer).status, 204);
  assert.equal((await library.ask(getJob, { params: { id: job_id } })).body.data.error, 'cancelled');
});

test('the jobs of a deleted track end and cannot be retried', async (t) => {
  const library = await openLibrary(t);
  const { job_id: id, track_id } = await queueUpload(library, 0.1);
  await library.ask(deleteTrack, { params: { id: track_id } });
  const { status, error } = (await library.ask(getJob, { params: { id } })).body.data;
  assert.deepEqual([status, error], ['failed', 'cancelled']);
  assert.equal((await library.ask(retryJob, { params: { id } })).status, 404);
  assert.equal(await drainJobs(library.context), 0);
});

test('import, download, separate and analyse are limited to 10 a minute each', async (t) => {
  // A still clock, so that no window of the rate limit ends in between.
  const clock = { ...createTestClock(), now: () => new Date('2026-01-01T00:00:00Z') };
  const library = await openLibrary(t, { clock });
  for (const spec of [importCatalog, downloadTrack, separate, analyze] as readonly EndpointSpec[]) {
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push((await library.ask(spec, { body: {} })).status);
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 422), 429], spec.path);
  }
});

test('cancelled and repeated work counts against its limit too', async (t) => {
  const clock = { ...createTestClock(), now: () => new Date('2026-01-01T00:00:00Z') };
  const library = await openLibrary(t, { clock });
  const { track_id } = await queueUpload(library, 0.2);
  await drainJobs(library.context);
  let id: string = (await library.ask(separate, { body: { track_id } })).body.data.job_id;
  const statuses: number[] = [];
  for (let count = 0; count < 10; count++) {
    await library.ask(cancelJob, { params: { id } });
    const answer = await library.ask(retryJob, { params: { id } });
    statuses.push(answer.status);
    if (answer.status === 201) id = answer.body.data.id;
  }
  assert.deepEqual(statuses, [...Array.from({ length: 9 }, () => 201), 429]);
});

test('each kind of job is shown by its own endpoint to its owner and to admins', async (t) => {
  const library = await openLibrary(t);
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  const { job_id: download, track_id } = await queueUpload(library, 0.2);
  await drainJobs(library.context);
  const processing = (await library.ask(separate, { body: { track_id } })).body.data.job_id;
  const analysis = (await library.ask(analyze, { body: { track_id } })).body.data.job_id;
  const kinds = [
    [getDownloadJob, download],
    [getProcessingJob, processing],
    [getAnalysisJob, analysis],
  ] as const;
  for (const [spec, own] of kinds) {
    for (const [, id] of kinds) {
      const { status } = await library.ask<EndpointSpec>(spec, { params: { id } });
      assert.equal(status, id === own ? 200 : 404);
    }
    const question = { params: { id: own } };
    assert.equal((await library.ask<EndpointSpec>(spec, question, stranger)).status, 404);
    assert.equal((await library.ask<EndpointSpec>(spec, question, admin)).status, 200);
    assert.equal((await library.ask<EndpointSpec>(spec, { params: { id: 'x' } })).status, 404);
  }
});
