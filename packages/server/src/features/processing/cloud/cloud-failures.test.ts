import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCloudQuota } from '@stem-studio/contract/endpoints/cloudsep';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { openCloudLibrary } from '../../../testing/cloud-steps.ts';
import { standInKeys } from '../../../testing/stand-ins/cloud-data.ts';
import type { CloudMishap } from '../../../testing/stand-ins/cloud-server.ts';
import { testWav } from '../../../testing/test-audio.ts';
import { drainJobs } from '../../../testing/test-context.ts';

const stem_types = ['drums'];

test('rejects a cloud separation and the quota with 422 and where to set a key when there is none', async (t) => {
  const { library, addTrack, askInBrowser } = await openCloudLibrary(t, { key: null });
  const { id: track_id } = await addTrack();
  const refused = await library.ask(separate, { body: { track_id, engine: 'cloud' } });
  assert.deepEqual([refused.status, refused.error.code], [422, 'CLOUD_KEY_MISSING']);
  assert.match(refused.error.error, /set yours under Settings .* CLOUDSEP_KEY/);
  assert.ok(refused.error.details?.['engine']);
  const quota = await askInBrowser(getCloudQuota);
  assert.deepEqual([quota.status, quota.error.code], [422, 'CLOUD_KEY_MISSING']);
});

test('fails the job with the reason and uploads nothing when the service rejects the key', async (t) => {
  const all = await openCloudLibrary(t, { key: 'no-key-of-theirs' });
  const job = await all.separated((await all.addTrack()).id);
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /does not accept the key: it answered 403/);
  assert.ok(!job.error?.includes('no-key-of-theirs'));
  assert.ok(!all.cloud.requests.some(({ path }) => path.includes('upload')));
  const quota = await all.askInBrowser(getCloudQuota);
  assert.deepEqual([quota.status, quota.error.code], [502, 'CLOUD_ERROR']);
});

test("reports missing minutes before the upload, or with the service's message when they run out later", async (t) => {
  const all = await openCloudLibrary(t, { key: standInKeys.poor });
  const track = await all.addTrack(4);
  const job = await all.separated(track.id, { stem_types });
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /takes 0\.1 minutes .* this studio's key has 0 left: choose fewer stems/);
  assert.ok(!all.cloud.requests.some(({ path }) => path.includes('upload')));
  all.cloud.mishaps.push({ path: 'minutes_left', status: 200, body: '{"minutes_left": 600}' });
  const late = await all.retried(job.id);
  assert.match(late.error ?? '', /not enough minutes are left at the cloud service \(“Not enough minutes”\)/);
  assert.deepEqual(
    late.cloud?.tasks.map(({ state }) => state),
    ['failed'],
  );
  const { used_minutes } = (await all.askInBrowser(getCloudQuota)).body.data;
  assert.equal(used_minutes, 0);
});

test('fails the job with the spent minutes when the service lost the task and restarts on a retry', async (t) => {
  const all = await openCloudLibrary(t);
  all.cloud.behaviour.isHeld = true;
  const id = await all.askFor((await all.addTrack()).id, { stem_types });
  const working = drainJobs(all.library.context);
  await all.untilAsked('check');
  all.cloud.loseTasks();
  const asked = all.cloud.requests.filter(({ path }) => path.includes('check')).length;
  // A second request from now on shows that the first has been answered and processed.
  await all.untilAsked('check', asked + 2);
  all.clock.advance(61);
  await working;
  const job = await all.jobOf(id);
  assert.match(
    job.error ?? '',
    /no longer knows a task that it charged 0\.1 minutes for \(“Failed to extract/,
  );
  assert.deepEqual(
    job.cloud?.tasks.map(({ state }) => state),
    ['lost'],
  );
  all.cloud.behaviour.isHeld = false;
  assert.equal((await all.retried(id)).status, 'completed');
  // Lost minutes count as spent.
  assert.equal(await all.spentMinutes(), 0.2);
});

test('keeps a paid task when the service rejects every status request and resumes it on a retry', async (t) => {
  const all = await openCloudLibrary(t);
  const refusal: CloudMishap = { path: 'check', status: 400, body: '{"detail":"Bad gateway settings"}' };
  all.cloud.mishaps.push(refusal, refusal, refusal, refusal);
  const job = await all.separated((await all.addTrack()).id, { stem_types });
  assert.match(job.error ?? '', /refused the request: it answered 400 \(“Bad gateway settings”\)/);
  assert.deepEqual(
    job.cloud?.tasks.map(({ state }) => state),
    ['running'],
  );
  all.cloud.mishaps.length = 0;
  assert.equal((await all.retried(job.id)).status, 'completed');
  assert.equal(all.cloud.tasks.size, 1);
});

test('keeps a task when its status is briefly unknown or missing', async (t) => {
  const all = await openCloudLibrary(t);
  all.cloud.behaviour.stemMs = 300;
  const track = await all.addTrack();
  for (let i = 0; i < 10; i++) all.cloud.mishaps.push({ path: 'check', status: 200, body: '{"result": {}}' });
  assert.equal((await all.separated(track.id, { stem_types })).status, 'completed');
  assert.equal(await all.spentMinutes(), 0.1);
});

test('requests an expired link again, fails the job when there is none and splits again on a retry', async (t) => {
  const all = await openCloudLibrary(t);
  const track = await all.addTrack();
  const gone: CloudMishap = { path: '/tracks/', status: 404 };
  all.cloud.mishaps.push(gone);
  assert.equal((await all.separated(track.id, { stem_types })).status, 'completed');
  assert.equal(all.cloud.tasks.size, 1);
  all.cloud.mishaps.push(gone, gone);
  const job = await all.separated(track.id, { stem_types: ['bass'] });
  assert.match(job.error ?? '', /are no longer at the cloud service/);
  assert.equal((await all.retried(job.id)).status, 'completed');
  assert.equal(all.cloud.tasks.size, 3);
});

test('restarts the download of a stem after a broken connection', async (t) => {
  const all = await openCloudLibrary(t);
  all.cloud.mishaps.push({ path: '/tracks/', cutsAfterBytes: 10_000 });
  all.cloud.mishaps.push({ path: '/tracks/', cutsAfterBytes: 0 });
  const job = await all.separated((await all.addTrack()).id, { stem_types });
  assert.deepEqual([job.status, job.cloud?.residual_db], ['completed', -1.5]);
});

test('fails the job with an explanation and no file when a stem is not audio or too short', async (t) => {
  const all = await openCloudLibrary(t);
  const track = await all.addTrack(3);
  const before = await all.library.storedFiles();
  all.cloud.mishaps.push({ path: '/tracks/', status: 200, body: '<!doctype html><title>Sorry</title>' });
  const noise = await all.separated(track.id, { stem_types });
  assert.match(noise.error ?? '', /for drums is not readable audio/);
  all.cloud.mishaps.push({ path: '/tracks/', status: 200, body: await testWav({ seconds: 1 }) });
  const cut = await all.separated(track.id, { stem_types });
  assert.match(cut.error ?? '', /gave 1\.0 s of drums for a song of 3\.0 s/);
  assert.deepEqual(await all.library.storedFiles(), before);
  // The splits were paid once: the stems are still at the service.
  assert.equal((await all.separated(track.id, { stem_types })).status, 'completed');
  assert.equal(all.cloud.tasks.size, 1);
});

test('does not follow a link into this machine or its network', async (t) => {
  const all = await openCloudLibrary(t);
  const track = await all.addTrack();
  for (const link of [
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:1/stem.wav',
    'http://localhost/stem.wav',
    'file:///etc/hostname',
    'https://user:pass@audio.example/stem.wav',
    'no link',
  ]) {
    all.cloud.behaviour.rewriteLink = () => link;
    const job = await all.separated(track.id, { stem_types: ['bass'] });
    assert.match(job.error ?? '', /returned a link that does not lead to a public address/, link);
  }
});
