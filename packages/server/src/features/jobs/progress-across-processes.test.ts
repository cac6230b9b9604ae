import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicOf } from '@stem-studio/contract/channel';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { jobChannel, jobProgress } from '@stem-studio/contract/events/job-progress';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { closeCodes } from '@stem-studio/contract/frame';
import { finishedStatuses, type JobStatus } from '@stem-studio/contract/states';
import { pause } from '../../platform/clock.ts';
import { cutListeners } from '../../testing/cut-listeners.ts';
import { type ServiceProcess, startServiceProcess } from '../../testing/service-process.ts';
import { connectClient, joined, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { testWav } from '../../testing/test-audio.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import { insertTestUser, type TestUser } from '../../testing/test-user.ts';
import { deactivateUser } from '../accounts/index.ts';

/** Starts two server processes and one worker process on one database. */
async function openCluster(t: TestLifetime) {
  const context = await openTestContext(t);
  const [one, two] = await Promise.all([
    startServiceProcess(context, 'serve'),
    startServiceProcess(context, 'serve'),
    startServiceProcess(context, 'worker'),
  ]);
  return { context, services: [one, two] as const };
}

async function upload(service: ServiceProcess, user: TestUser, seconds: number) {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(await testWav({ seconds }))]), 'song.wav');
  const reply = await fetch(`${service.address}${uploadFile.path}`, {
    method: 'POST',
    headers: user.headers,
    body,
  });
  assert.ok(reply.ok);
  return uploadFile.reply.parse(await reply.json()).data;
}

test('processes on one database act as one service', async (all) => {
  const { context, services } = await openCluster(all);

  await all.test(
    'progress from a worker process is reported identically by both server processes',
    async (t) => {
      const user = await insertTestUser(context);
      const received = await Promise.all(
        services.map(async ({ address }) => {
          const one = connectClient(t, socketUrl(address), { params: { token: user.token } }).channel(
            topicOf(libraryChannel, { user_id: user.id }),
          );
          const updates: unknown[] = [];
          one.on('job_progress', (payload) => {
            const { job_id, status, progress } = jobProgress.parse(payload);
            updates.push([job_id, status, progress]);
          });
          assert.equal((await joined(one)).status, 'ok');
          return updates;
        }),
      );
      const { job_id } = await upload(services[0], user, 1);
      const end = JSON.stringify([job_id, 'completed', 100]);
      await until(
        () => received.every((updates) => JSON.stringify(updates.at(-1)) === end),
        () => received,
      );
      assert.deepEqual(received[0], received[1]);
      assert.deepEqual(received[0]?.[0], [job_id, 'queued', 0]);
    },
  );

  await all.test('a user deactivated in one process has no socket in any other', async (t) => {
    const user = await insertTestUser(context);
    const sockets = await Promise.all(
      services.map(({ address }) => rawClient(t, socketUrl(address), `vsn=2.0.0&token=${user.token}`)),
    );
    assert.deepEqual(
      sockets.map(({ status }) => status),
      [101, 101],
    );
    await context.db.transaction().execute((tx) => deactivateUser(tx, user.id, null));
    for (const { closed } of sockets) assert.equal((await closed).code, closeCodes.loginEnded);
  });

  await all.test(
    'a stopping process notifies its clients, logs no connection loss and exits cleanly',
    async (t) => {
      const user = await insertTestUser(context);
      const socket = await rawClient(t, socketUrl(services[0].address), `vsn=2.0.0&token=${user.token}`);
      await upload(services[0], user, 0.1);
      assert.equal(await services[0].stop(), 0);
      assert.equal((await socket.closed).code, closeCodes.goingAway);
      assert.doesNotMatch(services[0].output(), /lost|error/i);
    },
  );
});

test('despite repeated loss of the listening connections, every client gets the final job state', async (t) => {
  const { context, services } = await openCluster(t);
  const user = await insertTestUser(context);
  const jobs = await Promise.all([1, 2, 3, 4].map((n) => upload(services[n % 2 === 0 ? 0 : 1], user, n)));
  const states = new Map<string, JobStatus>();
  for (const [at, { address }] of services.entries()) {
    const socket = connectClient(t, socketUrl(address), { params: { token: user.token } });
    for (const { job_id } of jobs) {
      const one = socket.channel(topicOf(jobChannel, { job_id }));
      const note = (payload: unknown) =>
        void states.set(`${at} ${job_id}`, jobProgress.parse(payload).status);
      one.on('job_progress', note);
      // Every join, the first and those after a reconnect, is answered with the current state.
      one.join().receive('ok', note);
    }
  }
  let cuts = 0;
  const isOver = () =>
    states.size === 8 && [...states.values()].every((state) => finishedStatuses.includes(state));
  // With growing gaps: on a slow machine no client would reconnect before the next cut.
  for (let gapMs = 50; !isOver() || cuts < 6; gapMs *= 1.2) {
    assert.ok(gapMs < 20_000, `${cuts} cuts, and received: ${[...states].join('; ')}`);
    cuts += await cutListeners(context.db);
    await pause(gapMs);
  }
  assert.deepEqual(new Set(states.values()), new Set(['completed']));
});
