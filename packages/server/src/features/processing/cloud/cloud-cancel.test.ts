import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelAllCloudTasks, cancelCloudTask } from '@stem-studio/contract/endpoints/cloudsep';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { type CloudLibrary, openCloudLibrary } from '../../../testing/cloud-steps.ts';
import { eventually } from '../../../testing/eventually.ts';
import { untilJob } from '../../../testing/library-steps.ts';
import { standInKeys, standInMinutes } from '../../../testing/stand-ins/cloud-data.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { drainJobs } from '../../../testing/test-context.ts';
import { listTasks } from './cloud-tasks.store.ts';

const begun = standInMinutes[standInKeys.rich] ?? 0;
const takenOf = ({ cloud }: CloudLibrary) =>
  Math.round((begun - (cloud.minutes.get(standInKeys.rich) ?? 0)) * 1000) / 1000;
const statesAt = ({ cloud }: CloudLibrary) => [...cloud.tasks.values()].map(({ state }) => state);

async function untilStates(all: CloudLibrary, wanted: readonly string[]) {
  await eventually(
    () => statesAt(all).join(),
    (found) => found === wanted.join(),
  );
}

/** Starts a separation and waits until the service works on every task. */
async function openRunning(all: CloudLibrary, stem_types = ['drums', 'wind']) {
  all.cloud.behaviour.isHeld = true;
  const id = await all.askFor((await all.addTrack()).id, { stem_types });
  await all.library.context.queue.start(all.library.context);
  await all.untilAsked('check');
  return id;
}

test('ends the whole separation here and at the service and refunds the minutes on a cancel by task id', async (t) => {
  const all = await openCloudLibrary(t);
  const id = await openRunning(all);
  assert.equal(takenOf(all), 0.067);
  assert.equal(await all.spentMinutes(), 0.2);
  const tasks = (await all.jobOf(id)).cloud?.tasks ?? [];
  const task_id = tasks[1]?.task_id ?? '';
  const { data } = (await all.askInBrowser(cancelCloudTask, { body: { task_id } })).body;
  assert.deepEqual(data.cancelled.toSorted(), tasks.map((task) => task.task_id ?? '').toSorted());
  assert.deepEqual(data.failed, []);
  assert.deepEqual(statesAt(all), ['cancelled', 'cancelled']);
  const job = await all.jobOf(id);
  assert.deepEqual([job.status, job.error, job.stems], ['failed', 'cancelled', []]);
  assert.equal(takenOf(all), 0);
  assert.equal(await all.spentMinutes(), 0);
  const again = await all.askInBrowser(cancelCloudTask, { body: { task_id } });
  assert.deepEqual([again.status, again.error.code], [422, 'JOB_NOT_CANCELLABLE']);
});

test('ends the tasks at the service when the job is cancelled in the usual way', async (t) => {
  const all = await openCloudLibrary(t);
  const id = await openRunning(all);
  assert.equal((await all.library.ask(cancelJob, { params: { id } })).status, 204);
  await untilStates(all, ['cancelled', 'cancelled']);
  await all.untilSettled(id);
  assert.equal(takenOf(all), 0);
});

test('cancels only separations of this user on cancel-all, queued or running, on a shared key', async (t) => {
  const all = await openCloudLibrary(t);
  const { library } = all;
  const other = await library.registerUser();
  const theirs = await library.addTrack(await testWav({ seconds: 1 }), 'theirs.wav', other);
  const [first, second, third] = [await all.addTrack(1.1), await all.addTrack(1.2), await all.addTrack(1.3)];
  all.cloud.behaviour.isHeld = true;
  const body = { track_id: theirs.id, engine: 'cloud', stem_types: ['bass'] };
  const theirJob = (await library.ask(separate, { body }, other)).body.data.job_id;
  const running = await all.askFor(first.id, { stem_types: ['drums'] });
  const local = (await library.ask(separate, { body: { track_id: second.id } })).body.data.job_id;
  await library.context.queue.start(library.context);
  // A task starts at the service a moment before its id is known here.
  for (const id of [theirJob, running])
    await eventually(
      async () => (await listTasks(library.context.db, [id])).map(({ state }) => state).join(),
      (states) => states === 'running',
    );
  const waiting = await all.askFor(third.id, { stem_types: ['piano'] });
  const mine = (await all.jobOf(running)).cloud?.tasks[0]?.task_id ?? '';
  const { data } = (await all.askInBrowser(cancelAllCloudTasks)).body;
  assert.deepEqual(data.failed, []);
  assert.deepEqual(data.cancelled.toSorted(), [mine, waiting].toSorted());
  assert.ok(!all.cloud.requests.some(({ path }) => path.includes('cancel/all')));
  all.cloud.behaviour.isHeld = false;
  for (const id of [theirJob, local]) await untilJob(library.context, id, 'completed');
  assert.deepEqual(
    [await all.jobOf(running), await all.jobOf(waiting)].map(({ error }) => error),
    ['cancelled', 'cancelled'],
  );
  const none = (await all.askInBrowser(cancelAllCloudTasks)).body.data;
  assert.deepEqual(none, { cancelled: [], finished: [], failed: [] });
});

test('lists tasks that the service has completed as finished', async (t) => {
  const all = await openCloudLibrary(t);
  const id = await openRunning(all);
  const [ended, other] = [...all.cloud.tasks.keys()];
  const task = all.cloud.tasks.get(ended ?? '');
  assert.ok(task);
  task.state = 'success';
  const { data } = (await all.askInBrowser(cancelAllCloudTasks)).body;
  assert.deepEqual(data, { cancelled: [other], finished: [ended], failed: [] });
  const again = await all.jobOf(id);
  assert.deepEqual([again.status, again.error], ['failed', 'cancelled']);
});

test('hides tasks and jobs of another user, of the local engine, or unknown ones', async (t) => {
  const all = await openCloudLibrary(t);
  const { library } = all;
  const { id: track_id } = await all.addTrack(1);
  const waiting = await all.askFor(track_id);
  const local = (await library.ask(separate, { body: { track_id } })).body.data.job_id;
  const stranger = await all.browserOf((await library.registerUser('platform_admin')).id);
  for (const [task_id, as] of [
    [waiting, stranger],
    [local, undefined],
    ['nothing', undefined],
    ["'; drop table", undefined],
  ] as const) {
    const reply = await all.askInBrowser(cancelCloudTask, { body: { task_id } }, as);
    assert.deepEqual([reply.status, reply.error.code], [404, 'NOT_FOUND'], task_id);
  }
  const token = await library.ask(cancelCloudTask, { body: { task_id: waiting } });
  assert.deepEqual([token.status, token.error.code], [401, 'UNAUTHORIZED']);
  const { data } = (await all.askInBrowser(cancelCloudTask, { body: { task_id: waiting } })).body;
  assert.deepEqual(data, { cancelled: [waiting], finished: [], failed: [] });
});

test('reports a failed cancel and retries it later', async (t) => {
  const all = await openCloudLibrary(t);
  const id = await openRunning(all, ['drums']);
  for (let i = 0; i < 4; i++) all.cloud.mishaps.push({ path: 'cancel', status: 503 });
  const task_id = (await all.jobOf(id)).cloud?.tasks[0]?.task_id ?? '';
  const { data } = (await all.askInBrowser(cancelCloudTask, { body: { task_id } })).body;
  assert.deepEqual(data.cancelled, []);
  assert.deepEqual(
    data.failed.map((one) => one.task_id),
    [task_id],
  );
  assert.match(data.failed[0]?.error ?? '', /answered 503/);
  all.cloud.mishaps.length = 0;
  await all.library.sweep();
  assert.deepEqual(statesAt(all), ['cancelled']);
  assert.deepEqual(
    (await all.jobOf(id)).cloud?.tasks.map(({ state }) => state),
    ['cancelled'],
  );
});

test('ends a task at the service that was accepted during the cancel', async (t) => {
  const all = await openCloudLibrary(t);
  all.cloud.behaviour.isHeld = true;
  const splitting = Promise.withResolvers<void>();
  all.cloud.mishaps.push({ path: 'split', after: () => splitting.promise });
  const id = await all.askFor((await all.addTrack()).id, { stem_types: ['drums', 'wind'] });
  await all.library.context.queue.start(all.library.context);
  await all.untilAsked('split');
  assert.equal((await all.library.ask(cancelJob, { params: { id } })).status, 204);
  splitting.resolve();
  await untilStates(all, ['cancelled']);
  await all.untilSettled(id);
  assert.equal(all.cloud.tasks.size, 1, 'nothing more was asked for');
  assert.equal(takenOf(all), 0);
});

test('does not reuse a cancelled task and pays again for the next separation of the song', async (t) => {
  const all = await openCloudLibrary(t);
  const id = await openRunning(all, ['drums']);
  await all.askInBrowser(cancelCloudTask, { body: { task_id: id } });
  all.cloud.behaviour.isHeld = false;
  const { track_id } = await all.jobOf(id);
  const next = await all.askFor(track_id, { stem_types: ['drums'] });
  await untilJob(all.library.context, next, 'completed');
  assert.equal(await all.spentMinutes(), 0.1);
  await drainJobs(all.library.context);
});
