import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietReply, topicOf } from '@stem-studio/contract/channel';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack, restoreTrack, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { jobChannel } from '@stem-studio/contract/events/job-progress';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { eventually } from '../../testing/eventually.ts';
import { listenTo, openLibrary } from '../../testing/library-steps.ts';
import { connectClient, joined, socketUrl, until } from '../../testing/socket-client.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';

const connect = (t: TestLifetime, address: string, token: string) =>
  connectClient(t, socketUrl(address), { params: { token } });

test('joining a job returns its state, then every change until it is completed', async (t) => {
  const library = await openLibrary(t);
  const address = await library.service.listen(0, '127.0.0.1');
  const { job_id, track_id } = (await library.upload(await testWav())).body.data;
  const topic = topicOf(jobChannel, { job_id });
  const one = connect(t, address, library.user.token).channel(topic);
  const received: { status: string; progress: number }[] = [];
  one.on('job_progress', (payload) => void received.push(jobChannel.pushes.job_progress.parse(payload)));
  const { status, response } = await joined(one);
  assert.equal(status, 'ok');
  const state = jobChannel.pushes.job_progress.parse(response);
  assert.deepEqual(
    [state.job_id, state.track_id, state.type, state.status, state.progress],
    [job_id, track_id, 'download', 'queued', 0],
  );
  await drainJobs(library.context);
  await until(
    () => received.at(-1)?.status === 'completed',
    () => received,
  );
  assert.equal(received.at(-1)?.progress, 100);
  // Events of the job's creation may arrive after the join.
  const states = new Set(received.map((entry) => entry.status).filter((state) => state !== 'queued'));
  assert.deepEqual([...states], ['downloading', 'processing', 'completed']);
});

test('joining a library states for how long it had no event, so that a page fetches nothing twice', async (t) => {
  const library = await openLibrary(t);
  const address = await library.service.listen(0, '127.0.0.1');
  const topic = topicOf(libraryChannel, { user_id: library.user.id });
  const quietMs = async () => {
    const { status, response } = await joined(connect(t, address, library.user.token).channel(topic));
    assert.equal(status, 'ok');
    return quietReply.parse(response).quiet_ms;
  };
  const startedMs = performance.now();
  await eventually(quietMs, (ms) => ms > 0);
  const received = listenTo(library.context, topic);
  await library.upload(await testWav({ seconds: 0.1 }));
  await eventually(
    () => received.length,
    (count) => count > 0,
  );
  const eventMs = performance.now();
  assert.ok((await quietMs()) <= performance.now() - startedMs);
  await eventually(quietMs, (ms) => ms > 0 && ms <= performance.now() - eventMs + 1000);
});

test("another user's job and library are not found; an admin may watch any job, but no other library", async (t) => {
  const library = await openLibrary(t);
  const address = await library.service.listen(0, '127.0.0.1');
  const { job_id } = (await library.upload(await testWav({ seconds: 0.1 }))).body.data;
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  const refused = { status: 'error', response: { reason: 'not_found' } };
  const ours = topicOf(libraryChannel, { user_id: library.user.id });
  const job = topicOf(jobChannel, { job_id });
  const strangers = connect(t, address, stranger.token);
  assert.deepEqual(await joined(strangers.channel(job)), refused);
  assert.deepEqual(await joined(strangers.channel(ours)), refused);
  assert.deepEqual(await joined(strangers.channel('jobs:x')), refused);
  const admins = connect(t, address, admin.token);
  assert.equal((await joined(admins.channel(job))).status, 'ok');
  assert.deepEqual(await joined(admins.channel(ours)), refused);
});

test('the library reports added, changed, deleted and restored tracks, and every job of the user', async (t) => {
  const library = await openLibrary(t);
  const address = await library.service.listen(0, '127.0.0.1');
  const one = connect(t, address, library.user.token).channel(
    topicOf(libraryChannel, { user_id: library.user.id }),
  );
  const received: string[] = [];
  const { track_created, track_updated, track_deleted, job_progress } = libraryChannel.pushes;
  one.on(
    'track_created',
    (payload) => void received.push(`created ${track_created.parse(payload).track.title}`),
  );
  one.on(
    'track_updated',
    (payload) => void received.push(`updated ${track_updated.parse(payload).track.title}`),
  );
  one.on(
    'track_deleted',
    (payload) => void received.push(`deleted ${track_deleted.parse(payload).track_id}`),
  );
  one.on(
    'job_progress',
    (payload) =>
      void received.push(`${job_progress.parse(payload).type} ${job_progress.parse(payload).status}`),
  );
  await joined(one);
  const { track_id: id, job_id } = (await library.upload(await testWav({ seconds: 0.1 }), 'One.wav')).body
    .data;
  await library.ask(cancelJob, { params: { id: job_id } });
  await library.ask(updateTrack, { params: { id }, body: { title: 'Two' } });
  await library.ask(deleteTrack, { params: { id } });
  await library.ask(restoreTrack, { params: { id } });
  await until(
    () => received.includes('created Two'),
    () => received,
  );
  assert.deepEqual(received, [
    'download queued',
    'created One',
    'download failed',
    'updated Two',
    `deleted ${id}`,
    'created Two',
  ]);
});
