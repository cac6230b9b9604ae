import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloudLibrary } from '../../../testing/cloud-steps.ts';
import type { CloudMishap } from '../../../testing/stand-ins/cloud-server.ts';

const stem_types = ['drums'];

test('retries malformed replies and fails the job with an explanation when they persist', async (t) => {
  const all = await openCloudLibrary(t);
  const track = await all.addTrack();
  const page: CloudMishap = { path: 'check', status: 200, body: '<html>maintenance</html>' };
  all.cloud.mishaps.push(page, { ...page, body: '{"result": {"x": {"status": "dancing"}}}' });
  assert.equal((await all.separated(track.id, { stem_types })).status, 'completed');
  for (let i = 0; i < 8; i++) all.cloud.mishaps.push(page);
  const job = await all.separated(track.id, { stem_types: ['bass'] });
  assert.match(job.error ?? '', /sent a reply that is not JSON/);
  all.cloud.mishaps.length = 0;
  // The task is paid, and the retry waits for it.
  assert.equal((await all.retried(job.id)).status, 'completed');
  assert.equal(all.cloud.tasks.size, 2);
});

test('fails the job when the reply lacks a requested stem', async (t) => {
  const all = await openCloudLibrary(t);
  all.cloud.behaviour.absent = ['drum'];
  const job = await all.separated((await all.addTrack()).id, { stem_types });
  assert.match(job.error ?? '', /incomplete result: drums is missing/);
});

test('waits for a service that is slow, unreachable or briefly failing', async (t) => {
  const all = await openCloudLibrary(t, { replySeconds: 3 });
  const track = await all.addTrack();
  all.cloud.mishaps.push(
    { path: 'minutes_left', status: 502 },
    { path: 'upload', status: 503, body: '{"detail":"busy"}' },
    { path: 'split', status: 500 },
    { path: 'check', hangs: true },
    { path: '/tracks/', status: 500 },
  );
  assert.equal((await all.separated(track.id, { stem_types })).status, 'completed');
  assert.equal(all.cloud.tasks.size, 1);
});

test('fails the job with the reason after a second attempt when the service hangs', async (t) => {
  const all = await openCloudLibrary(t, { replySeconds: 0.2, taskSeconds: 1 });
  for (let i = 0; i < 20; i++) all.cloud.mishaps.push({ path: 'minutes_left', hangs: true });
  const job = await all.separated((await all.addTrack()).id, { stem_types });
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /cannot be reached: it did not answer within 0\.2 s/);
});

test('fails the job when a task takes too long and waits for the same task on a retry', async (t) => {
  const all = await openCloudLibrary(t);
  const job = await all.tooLate(await all.askFor((await all.addTrack()).id, { stem_types }));
  assert.match(
    job.error ?? '',
    /has not finished within 600 s\. It is still working: Retry continues to wait/,
  );
  all.cloud.behaviour.isHeld = false;
  assert.equal((await all.retried(job.id)).status, 'completed');
  assert.equal(all.cloud.tasks.size, 1);
});

test('respects the rate limit of the service and pauses after a 429', async (t) => {
  const all = await openCloudLibrary(t, { checksPerMinute: 300 });
  all.cloud.behaviour.stemMs = 1200;
  const track = await all.addTrack();
  all.cloud.mishaps.push({ path: 'check', status: 429, headers: { 'retry-after': '1' } });
  all.cloud.mishaps.push({ path: 'split', status: 429, headers: { 'retry-after': '1' } });
  const startedMs = performance.now();
  assert.equal((await all.separated(track.id, { stem_types })).status, 'completed');
  const seconds = (performance.now() - startedMs) / 1000;
  const checks = all.cloud.requests.filter(({ path }) => path.includes('check')).length;
  // One every 0.2 s, and none in the second after the 429.
  assert.ok(checks <= 2 + (seconds - 1) / 0.2, `${checks} checks in ${seconds.toFixed(1)} s`);
});

test('limits the pause when the service requests a whole day', async (t) => {
  const all = await openCloudLibrary(t, { taskSeconds: 5 });
  const patience = { status: 429, headers: { 'retry-after': '86400' } };
  all.cloud.mishaps.push({ path: 'check', ...patience });
  const job = await all.separated((await all.addTrack()).id, { stem_types });
  assert.match(job.error ?? '', /has not finished within 5 s\. It is still working: Retry continues to wait/);
  const { db, clock } = all.library.context;
  const { next_check_at } = await db.selectFrom('cloud_accounts').selectAll().executeTakeFirstOrThrow();
  assert.ok(
    next_check_at.getTime() - clock.now().getTime() <= 61_000,
    'nobody of this key is asked for a minute',
  );
});

test('uploads the audio again when the service has deleted it', async (t) => {
  const all = await openCloudLibrary(t);
  const track = await all.addTrack();
  assert.equal((await all.separated(track.id, { stem_types })).status, 'completed');
  all.cloud.loseSources();
  const job = await all.separated(track.id, { stem_types: ['wind'] });
  assert.equal(job.status, 'completed');
  assert.equal(all.cloud.requests.filter(({ path }) => path.endsWith('/upload/')).length, 2);
});
