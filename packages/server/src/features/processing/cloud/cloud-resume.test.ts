import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloudLibrary } from '../../../testing/cloud-steps.ts';
import { untilJob } from '../../../testing/library-steps.ts';
import { startServiceProcess } from '../../../testing/service-process.ts';
import { standInKeys } from '../../../testing/stand-ins/cloud-data.ts';

const stem_types = ['drums', 'wind'];

test('waits for the same paid tasks in the next worker when one is killed', async (t) => {
  const all = await openCloudLibrary(t, {}, { isSupervising: true });
  const { library, cloud } = all;
  const { context } = library;
  cloud.behaviour.isHeld = true;
  const id = await all.askFor((await all.addTrack()).id, { stem_types });
  const worker = await startServiceProcess(context, 'worker', {
    CLOUDSEP_URL: cloud.url,
    CLOUDSEP_KEY: standInKeys.rich,
    CLOUDSEP_CHECKS_PER_MINUTE: '600',
  });
  await all.untilAsked('check');
  process.kill(worker.pid, 'SIGKILL');
  await worker.stop();
  const asked = (path: string) => cloud.requests.filter((request) => request.path.includes(path)).length;
  assert.deepEqual([asked('upload'), asked('split'), cloud.tasks.size], [1, 2, 2]);
  assert.equal((await all.jobOf(id)).status, 'processing');

  cloud.behaviour.isHeld = false;
  await context.queue.start(context);
  await untilJob(all.library.context, id, 'completed');
  const job = await all.jobOf(id);
  assert.deepEqual([asked('upload'), asked('split'), cloud.tasks.size], [1, 2, 2]);
  assert.equal(job.stems.length, 2);
  assert.equal(await all.spentMinutes(), 0.2);
});

test('resumes the same tasks after a restart of the service without using up an attempt', async (t) => {
  const all = await openCloudLibrary(t);
  const { library, cloud } = all;
  cloud.behaviour.isHeld = true;
  const id = await all.askFor((await all.addTrack()).id, { stem_types });
  const variables = {
    CLOUDSEP_URL: cloud.url,
    CLOUDSEP_KEY: standInKeys.rich,
    CLOUDSEP_CHECKS_PER_MINUTE: '600',
  };
  const worker = await startServiceProcess(library.context, 'worker', variables);
  await all.untilAsked('check');
  assert.equal(await worker.stop(), 0);
  assert.equal((await all.jobOf(id)).status, 'queued');
  cloud.behaviour.isHeld = false;
  await library.context.queue.start(library.context);
  await untilJob(all.library.context, id, 'completed');
  assert.equal(cloud.tasks.size, 2);
});

test('repeats a request with a lost reply under the same idempotency key, with one task and one entry', async (t) => {
  const all = await openCloudLibrary(t);
  all.cloud.behaviour.isHeld = true;
  all.cloud.mishaps.push({ path: 'split', losesAnswer: true });
  const id = await all.askFor((await all.addTrack()).id, { stem_types: ['drums'] });
  await all.library.context.queue.start(all.library.context);
  await all.untilAsked('check');
  all.cloud.behaviour.isHeld = false;
  await untilJob(all.library.context, id, 'completed');
  assert.equal(all.cloud.requests.filter(({ path }) => path.includes('split')).length, 2);
  assert.equal(all.cloud.tasks.size, 1);
  assert.equal(await all.spentMinutes(), 0.1);
});

test("reuses no task of the track's previous audio on a retry", async (t) => {
  const all = await openCloudLibrary(t);
  const { db } = all.library.context;
  const [track, other] = [await all.addTrack(2), await all.addTrack(3)];
  const job = await all.tooLate(await all.askFor(track.id, { stem_types: ['drums'] }));
  assert.match(job.error ?? '', /has not finished/);
  all.cloud.behaviour.isHeld = false;
  const { audio_source_id } = await db
    .selectFrom('tracks')
    .select('audio_source_id')
    .where('id', '=', other.id)
    .executeTakeFirstOrThrow();
  await db.updateTable('tracks').set({ audio_source_id }).where('id', '=', track.id).execute();
  assert.equal((await all.retried(job.id)).status, 'completed');
  assert.equal(all.cloud.tasks.size, 2);
});

test('does not pay twice without a request when the task had begun and states the spent minutes', async (t) => {
  const all = await openCloudLibrary(t);
  all.cloud.mishaps.push({ path: 'split', losesAnswer: true });
  const job = await all.separated((await all.addTrack()).id, { stem_types: ['drums'] });
  assert.equal(job.status, 'failed');
  assert.match(
    job.error ?? '',
    /had accepted this when .* 0\.1 minutes are spent. Retry requests it again and is charged again/,
  );
  assert.equal(all.cloud.tasks.size, 1);
  assert.equal(await all.spentMinutes(), 0.1);
  assert.equal((await all.retried(job.id)).status, 'completed');
  assert.equal(await all.spentMinutes(), 0.2);
});
