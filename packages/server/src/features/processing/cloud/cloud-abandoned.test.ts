import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { cancelledError } from '@stem-studio/contract/resources/job';
import { lockUnfinishedJob } from '../../../platform/queue/jobs.store.ts';
import { failJob } from '../../../platform/queue/jobs.ts';
import { confirmDeletion, goodPassword, registerWithKey } from '../../../testing/account-steps.ts';
import { type CloudLibrary, openCloudLibrary } from '../../../testing/cloud-steps.ts';
import { eventually } from '../../../testing/eventually.ts';
import { standInKeys, standInMinutes } from '../../../testing/stand-ins/cloud-data.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { saveCloudKey } from '../../cloudsep/index.ts';
import * as cancels from './cloud-cancels.store.ts';

const stem_types = ['drums', 'wind'];
const minutesLeft = ({ cloud }: CloudLibrary) => cloud.minutes.get(standInKeys.rich) ?? 0;
const begun = standInMinutes[standInKeys.rich];
const statesAt = ({ cloud }: CloudLibrary) => [...cloud.tasks.values()].map(({ state }) => state);

async function untilStates(all: CloudLibrary, wanted: readonly string[]) {
  await eventually(
    () => statesAt(all).join(),
    (found) => found === wanted.join(),
  );
}

async function ledger({ library }: CloudLibrary): Promise<string[]> {
  const rows = await library.context.db
    .selectFrom('cloud_tasks')
    .select('state')
    .orderBy('asked_at')
    .execute();
  return rows.map(({ state }) => state);
}

async function untilLedger(all: CloudLibrary, wanted: readonly string[]) {
  await eventually(
    async () => (await ledger(all)).join(),
    (found) => found === wanted.join(),
  );
}

/** Moves the request time of all tasks into the past. */
async function age({ library }: CloudLibrary, seconds: number) {
  const asked_at = new Date(library.context.clock.now().getTime() - seconds * 1000);
  await library.context.db.updateTable('cloud_tasks').set({ asked_at }).execute();
}

/** Opens a user in a browser, with a track, who can delete their account. */
async function openMira(all: CloudLibrary) {
  const { library } = all;
  const { browser, id, as } = await registerWithKey(library, 'mira@example.org');
  const track = await library.addTrack(await testWav({ seconds: 2 }), 'song.wav', as);
  const goAway = async () => {
    const { statusCode } = await confirmDeletion(browser, goodPassword);
    assert.equal(statusCode, 303);
    assert.equal((await browser.get('/users/settings')).statusCode, 303);
  };
  return { id, as, track, goAway };
}

/** Cancels a job as a user does, without notifying the running attempt. */
async function cancelUnheard({ library: { context } }: CloudLibrary, jobId: string) {
  await context.db.transaction().execute(async (tx) => {
    const job = await lockUnfinishedJob(tx, jobId);
    assert.ok(job);
    await failJob(context, tx, job, cancelledError);
  });
}

for (const whose of ['own', 'system'] as const) {
  test(`ends running tasks at the service when their account is deleted, with ${whose} key`, async (t) => {
    const all = await openCloudLibrary(t, whose === 'own' ? { key: null } : {});
    const { context } = all.library;
    const mira = await openMira(all);
    if (whose === 'own') await saveCloudKey(context, mira.id, standInKeys.rich);
    all.cloud.behaviour.isHeld = true;
    await all.askFor(mira.track.id, { stem_types }, mira.as);
    await context.queue.start(context);
    await all.untilAsked('check');
    await mira.goAway();
    await untilStates(all, ['cancelled', 'cancelled']);
    await untilLedger(all, ['cancelled', 'cancelled']);
    assert.equal(Math.round(minutesLeft(all) * 1000) / 1000, begun);
  });
}

for (const whose of ['own', 'system'] as const) {
  test(`ends tasks of a failed job at the service when the account is deleted, with ${whose} key`, async (t) => {
    const all = await openCloudLibrary(t, whose === 'own' ? { key: null } : {});
    const mira = await openMira(all);
    if (whose === 'own') await saveCloudKey(all.library.context, mira.id, standInKeys.rich);
    await all.tooLate(await all.askFor(mira.track.id, { stem_types }, mira.as), mira.as);
    await mira.goAway();
    if (whose === 'system') await all.library.sweep();
    await untilStates(all, ['cancelled', 'cancelled']);
    await untilLedger(all, ['cancelled', 'cancelled']);
  });
}

test('buys nothing more and ends the latest task when the attempt learns of a cancel late', async (t) => {
  // With a concurrency of one, the second job starts only when the first attempt is over.
  const all = await openCloudLibrary(t, { concurrency: 1 });
  const { context } = all.library;
  all.cloud.behaviour.isHeld = true;
  const [splitting, uploading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  all.cloud.mishaps.push({ path: 'split', after: () => splitting.promise });
  const [first, second] = [await all.addTrack(2), await all.addTrack(1.5)];
  const id = await all.askFor(first.id, { stem_types });
  await context.queue.start(context);
  await all.untilAsked('split');
  await cancelUnheard(all, id);
  splitting.resolve();
  await untilStates(all, ['cancelled']);
  await untilLedger(all, ['cancelled']);
  all.cloud.requests.length = 0;
  all.cloud.mishaps.push({ path: 'upload', after: () => uploading.promise });
  const next = await all.askFor(second.id, { stem_types });
  await all.untilAsked('upload');
  await cancelUnheard(all, next);
  const last = await all.askFor(first.id, { stem_types: ['bass'] });
  uploading.resolve();
  await all.untilAsked('check');
  assert.equal((await all.jobOf(last)).cloud?.tasks.length, 1);
  assert.equal(all.cloud.tasks.size, 2, 'nothing was asked for after the cancel');
});

test('ends a task with a lost reply when its job ends, by the attempt or by the sweep', async (t) => {
  for (const isBySweep of [false, true]) {
    const all = await openCloudLibrary(t);
    const { context } = all.library;
    all.cloud.behaviour.isHeld = true;
    all.cloud.mishaps.push({ path: 'split', losesAnswer: true });
    all.cloud.mishaps.push({ path: 'split', status: 429, headers: { 'retry-after': '30' } });
    if (isBySweep) all.cloud.mishaps.push({ path: 'split', status: 503 });
    const id = await all.askFor((await all.addTrack()).id, { stem_types: ['drums'] });
    await context.queue.start(context);
    await all.untilAsked('split', 2);
    assert.equal((await all.library.ask(cancelJob, { params: { id } })).status, 204);
    if (isBySweep) {
      await all.untilMishaps(0);
      await all.library.sweep();
      assert.deepEqual(await ledger(all), ['asking'], 'its asker may still hear the answer');
      await age(all, 301);
      await all.library.sweep();
    }
    await untilStates(all, ['cancelled']);
    await untilLedger(all, ['cancelled']);
    assert.equal(Math.round(minutesLeft(all) * 1000) / 1000, begun);
  }
});

/** Opens a library with a running task of a deleted account, which only the sweep can end. */
async function openLeftBehind(t: TestContext, whose: 'own' | 'system') {
  const all = await openCloudLibrary(t, whose === 'own' ? { key: null } : {});
  const mira = await openMira(all);
  if (whose === 'own') await saveCloudKey(all.library.context, mira.id, standInKeys.rich);
  await all.tooLate(await all.askFor(mira.track.id, { stem_types: ['drums'] }, mira.as), mira.as);
  // The user's own key is loaded during the deletion, but the service rejects that cancel.
  if (whose === 'own') all.cloud.mishaps.push({ path: 'cancel', status: 503 });
  await mira.goAway();
  await all.untilMishaps(0);
  return all;
}

test('retries a cancel with a refused key for a day and then counts the minutes as spent', async (t) => {
  const all = await openLeftBehind(t, 'system');
  for (let i = 0; i < 2; i++) all.cloud.mishaps.push({ path: 'cancel', status: 401 });
  await age(all, 3700);
  await all.library.sweep();
  assert.deepEqual(await ledger(all), ['cancelling'], 'the key may be accepted again');
  await age(all, 86_500);
  await all.library.sweep();
  assert.deepEqual(await ledger(all), ['lost']);
  assert.equal(await all.spentMinutes(), 0.1);
});

test('keeps a cancel for a deleted key for an hour and then counts the minutes as spent', async (t) => {
  const all = await openLeftBehind(t, 'own');
  await age(all, 3500);
  await all.library.sweep();
  assert.deepEqual(await ledger(all), ['cancelling']);
  await age(all, 3700);
  await all.library.sweep();
  assert.deepEqual(await ledger(all), ['lost']);
  assert.equal(await all.spentMinutes(), 0.1);
});

test('retries a failed cancel when its track and its job are deleted', async (t) => {
  const all = await openCloudLibrary(t);
  const { context } = all.library;
  all.cloud.behaviour.isHeld = true;
  const track = await all.addTrack();
  const id = await all.askFor(track.id, { stem_types: ['drums'] });
  await context.queue.start(context);
  await all.untilAsked('check');
  for (let i = 0; i < 2; i++) all.cloud.mishaps.push({ path: 'cancel', status: 503 });
  assert.equal((await all.library.ask(cancelJob, { params: { id } })).status, 204);
  await all.untilMishaps(1);
  all.cloud.mishaps.length = 0;
  await all.library.ask(deleteTrack, { params: { id: track.id } });
  await context.db.deleteFrom('jobs').where('id', '=', id).execute();
  await all.library.sweep();
  assert.deepEqual(statesAt(all), ['cancelled']);
  assert.deepEqual(await ledger(all), ['cancelled']);
});

test('locks no row during the cancel request and makes a second caller wait without a repeated request', async (t) => {
  const all = await openCloudLibrary(t);
  const { context } = all.library;
  await all.tooLate(await all.askFor((await all.addTrack()).id, { stem_types: ['drums'] }));
  await context.db.updateTable('cloud_tasks').set({ state: 'cancelling' }).execute();
  const cancelling = Promise.withResolvers<void>();
  all.cloud.mishaps.push({ path: 'cancel', after: () => cancelling.promise });
  const sweeps = [all.library.sweep(), all.library.sweep()];
  await all.untilAsked('cancel');
  await context.db.transaction().execute(async (tx) => {
    await tx.selectFrom('cloud_tasks').selectAll().forUpdate().noWait().execute();
  });
  assert.deepEqual(await ledger(all), ['cancelling']);
  cancelling.resolve();
  await Promise.all(sweeps);
  assert.deepEqual(await ledger(all), ['cancelled']);
  assert.equal(all.cloud.requests.filter(({ path }) => path.includes('cancel')).length, 1);
});

test('leaves a released task to callers that have not tried it', async (t) => {
  const all = await openCloudLibrary(t);
  const { db, clock } = all.library.context;
  await all.tooLate(await all.askFor((await all.addTrack()).id, { stem_types: ['drums'] }));
  const rows = await db.updateTable('cloud_tasks').set({ state: 'cancelling' }).returning('id').execute();
  const ids = rows.map(({ id }) => id);
  const now = clock.now();
  const left = async () => Promise.all([[], ids].map((but) => cancels.areLeft(db, { ids }, { now, but })));
  assert.deepEqual(await left(), [true, false]);
  await cancels.claimCancelling(db, { ids }, { now, until: new Date(now.getTime() + 60_000), but: [] });
  assert.deepEqual(await left(), [true, true], 'somebody is ending it');
  await cancels.unclaimCancelling(db, ids);
  assert.deepEqual(await left(), [true, false]);
});
