import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { freeSpace, getUsage } from '@stem-studio/contract/endpoints/account';
import { listUsers, updateUser } from '@stem-studio/contract/endpoints/admin';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { cancelJob, listJobs, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteStems, separate } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack, getTrack, restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import { parseConfig } from '../../config.ts';
import type { Config } from '../../platform/config.ts';
import { type Caller, type LibraryApp, multipart, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { expectedDownloadBytes } from '../downloads/expected-bytes.ts';
import { stemBytes } from '../processing/processing-args.ts';
import { addUpStorageChanges } from './quotas.store.ts';

const GB = 2 ** 30;
const limits = (some: Partial<Config['quotas']>) => ({
  quotas: { storageBytes: 0, tracks: 0, queuedJobs: 0, stemSets: 0, ...some },
});

async function usageOf(library: LibraryApp, as?: Caller) {
  return (await library.ask(getUsage, {}, as)).body.data;
}

async function storedBytes(library: LibraryApp): Promise<number> {
  const { uploadsDir } = library.context.config;
  const sizes = (await library.storedFiles()).map(async (path) => (await stat(join(uploadsDir, path))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Adds a prepared track with a recorded duration of one hour, whose stems would take 2.4 GB. */
async function addHour(library: LibraryApp, seconds = 1): Promise<string> {
  const { id } = await library.addTrack(await testWav({ seconds }));
  await library.context.db
    .updateTable('tracks')
    .set({ duration_ms: 3_600_000 })
    .where('id', '=', id)
    .execute();
  return id;
}

test('rejects a separation whose stems do not fit, with the numbers, and creates no job', async (t) => {
  const library = await openLibrary(t, { config: limits({ storageBytes: 2 * GB }) });
  const track_id = await addHour(library);
  const refused = await library.ask(separate, { body: { track_id } });
  assert.equal(refused.status, 422);
  assert.equal(refused.error.code, 'QUOTA_EXCEEDED');
  assert.match(
    refused.error.error,
    /^Your storage is full: 0 of 2 GB used, this separation needs 2\.4 GB\. Delete tracks or stems, or ask/,
  );
  assert.deepEqual(Object.keys(refused.error.details ?? {}), ['storage_bytes']);
  const jobs = await library.ask(listJobs, { query: { type: 'processing' } });
  assert.equal(jobs.body.meta.total_count, 0);
});

test('accepts one of two concurrent separations that only fit individually', async (t) => {
  const library = await openLibrary(t, { config: limits({ storageBytes: 3 * GB }) });
  const ids = [await addHour(library, 1), await addHour(library, 2)];
  const answers = await Promise.all(ids.map((track_id) => library.ask(separate, { body: { track_id } })));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 422],
  );
  // A cancelled job releases its reservation.
  const accepted = answers.find(({ status }) => status === 201)?.body.data.job_id ?? '';
  const refusedId = ids[answers.findIndex(({ status }) => status === 422)];
  await library.ask(cancelJob, { params: { id: accepted } });
  assert.equal((await library.ask(separate, { body: { track_id: refusedId } })).status, 201);
});

test('a separation that follows an import and does not fit becomes a failed job with the numbers', async (t) => {
  const config = { ...limits({ storageBytes: 1_500_000 }), autoSeparate: true };
  const library = await openLibrary(t, { config });
  const { id } = await library.addTrack(await testWav({ seconds: 2 }));
  const { data } = (await library.ask(listJobs, { query: { track_id: id, type: 'processing' } })).body;
  assert.deepEqual(
    data.map(({ status }) => status),
    ['failed'],
  );
  assert.match(
    data[0]?.error ?? '',
    /^Your storage is full: 0\.\d of 1\.4 MB used, this separation needs 1\.3 MB/,
  );
  const again = await library.ask(retryJob, { params: { id: data[0]?.id ?? '' } });
  assert.equal(again.error.code, 'QUOTA_EXCEEDED');
  await library.context.db
    .insertInto('user_quotas')
    .values({
      user_id: library.user.id,
      storage_bytes: 0,
      tracks: null,
      queued_jobs: null,
      stem_sets: null,
    })
    .execute();
  assert.equal((await library.ask(retryJob, { params: { id: data[0]?.id ?? '' } })).status, 201);
});

test('usage equals the bytes on disk until deleted tracks are removed', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 1 }));
  await library.ask(separate, { body: { track_id } });
  assert.ok((await usageOf(library)).storage.expected_bytes > 700_000);
  await drainJobs(library.context);
  const stored = await storedBytes(library);
  const used = await usageOf(library);
  assert.deepEqual(used.storage, { used_bytes: stored, expected_bytes: 0, limit_bytes: 250 * GB });
  assert.deepEqual([used.tracks.used, used.stem_sets.used, used.queued_jobs.used], [1, 1, 0]);

  await library.ask(deleteTrack, { params: { id: track_id } });
  const hidden = await usageOf(library);
  assert.equal(hidden.storage.used_bytes, stored);
  assert.deepEqual([hidden.tracks.used, hidden.deleted.tracks, hidden.deleted.bytes], [0, 1, stored]);
  assert.notEqual(hidden.deleted.removed_at, null);

  const freed = (await library.ask(freeSpace)).body.data;
  assert.deepEqual(freed, { tracks: 1, freed_bytes: stored });
  assert.deepEqual(await library.storedFiles(), []);
  assert.equal((await usageOf(library)).storage.used_bytes, 0);
  assert.equal((await library.ask(restoreTrack, { params: { id: track_id } })).status, 404);
});

test('audio shared by two users is charged to both, and released when the second one deletes it', async (t) => {
  const library = await openLibrary(t);
  const other = await library.registerUser();
  const wav = await testWav({ seconds: 1 });
  const mine = await library.addTrack(wav);
  const theirs = await library.addTrack(wav, 'song.wav', other);
  const stored = await storedBytes(library);
  assert.equal((await usageOf(library)).storage.used_bytes, stored);
  assert.equal((await usageOf(library, other)).storage.used_bytes, stored);
  await library.ask(deleteTrack, { params: { id: mine.id } });
  assert.equal((await usageOf(library)).deleted.bytes, 0);
  assert.deepEqual((await library.ask(freeSpace)).body.data, { tracks: 1, freed_bytes: 0 });
  await library.ask(deleteTrack, { params: { id: theirs.id } }, other);
  assert.deepEqual((await library.ask(freeSpace, {}, other)).body.data, { tracks: 1, freed_bytes: stored });
});

test('an upload whose job was cancelled counts as long as its bytes are kept', async (t) => {
  const library = await openLibrary(t);
  const wav = await testWav({ seconds: 1 });
  const { job_id } = (await library.upload(wav)).body.data;
  await library.ask(cancelJob, { params: { id: job_id } });
  assert.equal((await usageOf(library)).storage.used_bytes, wav.length);
  await library.upload(wav);
  assert.equal((await usageOf(library)).storage.used_bytes, 2 * wav.length);
});

test('an upload with an excessive declared length is rejected before its body, and leaves no files', async (t) => {
  const library = await openLibrary(t, { config: limits({ storageBytes: 100_000 }) });
  const refused = await library.upload(await testWav({ seconds: 1 }));
  assert.equal(refused.error.code, 'QUOTA_EXCEEDED');
  assert.match(refused.error.error, /this file needs 17\d\.\d kB/);
  assert.deepEqual(await library.storedFiles(), []);
  assert.equal((await usageOf(library)).storage.expected_bytes, 0);
});

test('an upload of unknown length is rejected during the transfer', async (t) => {
  const library = await openLibrary(t, { config: limits({ storageBytes: 6 * 2 ** 20 }) });
  const address = new URL(await library.service.listen(0, '127.0.0.1'));
  const form = multipart([{ name: 'file', fileName: 'a.wav', bytes: new Uint8Array(16 * 2 ** 20) }]);
  const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(
      {
        host: address.hostname,
        port: address.port,
        path: uploadFile.path,
        method: 'POST',
        headers: { ...library.user.headers, ...form.headers, 'transfer-encoding': 'chunked' },
      },
      (reply) => {
        let body = '';
        reply.on('data', (data) => {
          body += String(data);
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }));
      },
    );
    sent.on('error', reject);
    sent.end(form.payload);
  });
  assert.equal(answer.status, 422, answer.body);
  assert.match(answer.body, /QUOTA_EXCEEDED/);
  assert.deepEqual(await library.storedFiles(), []);
});

test('tracks and queued jobs are limited, and deleting a track frees its quota', async (t) => {
  const library = await openLibrary(t, { config: limits({ tracks: 1, queuedJobs: 2 }) });
  const first = (await library.upload(await testWav({ seconds: 1 }))).body.data.track_id;
  const second = await library.upload(await testWav({ seconds: 2 }));
  assert.match(
    second.error.error,
    /^Your library is full: 1 of 1 track used, this file adds 1\. Delete tracks/,
  );
  await library.ask(deleteTrack, { params: { id: first } });
  assert.equal((await library.upload(await testWav({ seconds: 2 }))).status, 201);
  assert.equal((await library.ask(restoreTrack, { params: { id: first } })).error.code, 'QUOTA_EXCEEDED');

  const { context, user } = library;
  await context.db
    .insertInto('user_quotas')
    .values({
      user_id: user.id,
      tracks: 0,
      queued_jobs: 1,
      storage_bytes: null,
      stem_sets: null,
    })
    .execute();
  const third = await library.upload(await testWav({ seconds: 3 }));
  assert.match(third.error.error, /^Too many jobs are waiting: 1 of 1, this file adds 1\. Wait for some/);
});

test('stored separations are limited', async (t) => {
  const library = await openLibrary(t, { config: limits({ stemSets: 1 }) });
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 1 }));
  await library.ask(separate, { body: { track_id, preview: true } });
  const refused = await library.ask(separate, { body: { track_id } });
  assert.match(refused.error.error, /^You have too many stems: 1 of 1 separation stored or waiting/);
});

test('a platform admin has no limit, an admin sets the limits of others, and both are listed', async (t) => {
  const library = await openLibrary(t, { config: limits({ tracks: 1 }) });
  const admin = await library.registerUser('admin');
  const platformAdmin = await library.registerUser('platform_admin');
  assert.equal((await usageOf(library, platformAdmin)).tracks.limit, null);
  assert.equal((await usageOf(library)).tracks.limit, 1);
  await insertTestTrack(library.context, library.user.id);

  const params = { id: library.user.id };
  const body = { quota: { tracks: 7, storage_bytes: 5 * GB } };
  const changed = (await library.ask(updateUser, { params, body }, admin)).body.data;
  assert.deepEqual(changed.usage.tracks, { used: 1, limit: 7 });
  assert.deepEqual(changed.quota, { storage_bytes: 5 * GB, tracks: 7, queued_jobs: null, stem_sets: null });
  await library.ask(updateUser, { params, body: { quota: { tracks: null } } }, admin);
  const listed = (await library.ask(listUsers, { query: { q: library.user.email } }, admin)).body.data[0];
  assert.deepEqual(listed?.usage.tracks, { used: 1, limit: 1 });
  assert.equal(listed?.usage.storage.limit_bytes, 5 * GB);

  const own = await library.ask(updateUser, { params: { id: admin.id }, body }, admin);
  assert.equal(own.error.code, 'OWN_ACCOUNT');
  const wrong = await library.ask(updateUser, { params, body: { quota: { tracks: -1 } } }, admin);
  assert.match(wrong.error.error, /must be 0 \(no limit\) or more/);
  const audit = await library.context.db.selectFrom('audit_log').select('action').execute();
  assert.deepEqual(audit, [{ action: 'user_quota_changed' }, { action: 'user_quota_changed' }]);
});

test('merging storage changes changes no sum', async (t) => {
  const library = await openLibrary(t);
  const { db } = library.context;
  await library.addTrack(await testWav({ seconds: 1 }));
  const { used_bytes } = (await usageOf(library)).storage;
  await db
    .insertInto('storage_changes')
    .values({ user_id: library.user.id, bytes: 5, stem_sets: 0 })
    .execute();
  await Promise.all([1, 2, 3].map(() => addUpStorageChanges(db)));
  assert.equal((await usageOf(library)).storage.used_bytes, used_bytes + 5);
  assert.equal((await db.selectFrom('storage_changes').selectAll().execute()).length, 1);
});

test('the default quotas fit a playlist of 1,000 songs with their stems', () => {
  const { quotas, stemBitDepth } = parseConfig({}, '/');
  const minutes4 = 240_000;
  const args = { model: 'hybrid_4', engine: 'local', preview: false } as const;
  const download = expectedDownloadBytes({ kind: 'search', catalog_id: 'a' }, minutes4, { quality: 'high' });
  assert.ok(1000 * (download + stemBytes(args, minutes4, stemBitDepth)) < quotas.storageBytes);
  assert.ok(1000 * 3 < quotas.queuedJobs && 1000 < quotas.tracks && 1000 < quotas.stemSets);
});

test('deletes the stems of a separation, releases their bytes and keeps the track', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 1 }));
  const before = await storedBytes(library);
  const { job_id } = (await library.ask(separate, { body: { track_id } })).body.data;
  await drainJobs(library.context);
  const stemsBytes = (await storedBytes(library)) - before;
  const stranger = await library.registerUser();
  assert.equal((await library.ask(deleteStems, { params: { id: job_id } }, stranger)).status, 404);
  const deleted = await library.ask(deleteStems, { params: { id: job_id } });
  assert.deepEqual(deleted.body.data, { freed_bytes: stemsBytes });
  assert.equal(await storedBytes(library), before);
  const used = await usageOf(library);
  assert.deepEqual([used.storage.used_bytes, used.stem_sets.used, used.tracks.used], [before, 0, 1]);
  const track = (await library.ask(getTrack, { params: { id: track_id } })).body.data;
  assert.deepEqual([track.stems_job_id, track.separation?.status], [null, 'completed']);
  assert.deepEqual((await library.ask(deleteStems, { params: { id: job_id } })).body.data, {
    freed_bytes: 0,
  });
});
