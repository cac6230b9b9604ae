import assert from 'node:assert/strict';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { deleteStems, separate } from '@stem-studio/contract/endpoints/processing';
import { sql } from 'kysely';
import { markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import { stagingName } from '../../platform/files/local-files.ts';
import { newId } from '../../platform/ids.ts';
import { requestJob } from '../../platform/queue/jobs.ts';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { trackSubject } from '../tracks/index.ts';
import { type CheckOptions, checkStorage } from './check-storage.ts';
import type { Finding } from './finding.ts';

const twoHoursAgo = new Date(Date.now() - 7_200_000);

async function write(library: LibraryApp, path: string, isOld = false): Promise<void> {
  const absolute = join(library.context.config.uploadsDir, path);
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, 'bytes');
  if (!isOld) return;
  await utimes(absolute, twoHoursAgo, twoHoursAgo);
  await utimes(dirname(absolute), twoHoursAgo, twoHoursAgo);
}

async function insertStems(library: LibraryApp, trackId: string, change: { readonly onDisk?: boolean } = {}) {
  const { context, user } = library;
  const jobId = newId();
  const now = context.clock.now();
  const path = `stems/${jobId}/drums.wav`;
  if (change.onDisk !== false) await write(library, path);
  await context.db
    .insertInto('jobs')
    .values({
      id: jobId,
      type: 'processing',
      user_id: user.id,
      subject_kind: 'track',
      subject_id: trackId,
      args: '{}',
      status: 'completed',
      progress: 100,
      message: '',
      attempt: 1,
      max_attempts: 2,
      created_at: now,
      finished_at: now,
      updated_at: now,
    })
    .execute();
  const stem = {
    id: newId(),
    track_id: trackId,
    processing_job_id: jobId,
    stem_type: 'drums' as const,
    file_path: path,
    file_size: 5,
    duration_ms: 1000,
    sample_rate: 44_100,
    channels: 2,
    peak: 1,
    engine: 'local' as const,
    model: 'hybrid_4',
    backend: 'spectral',
    created_at: now,
  };
  await context.db.insertInto('stems').values(stem).execute();
  return { jobId, path, stemId: stem.id };
}

function requestDownload({ context, user }: LibraryApp, trackId: string) {
  const args = { source: { kind: 'catalog', catalog_id: 'x' }, quality: 'high' };
  return context.db
    .transaction()
    .execute((tx) =>
      requestJob(context, tx, { type: 'download', user_id: user.id, subject: trackSubject(trackId), args }),
    );
}

/** Opens a library with one complete track with stems, and a helper that returns the new findings of a check. */
async function openChecked(t: Parameters<typeof openLibrary>[0], isQuiet = true) {
  const library = await openLibrary(t);
  const track = await library.addTrack(await testWav());
  const stems = await insertStems(library, track.id);
  const seen = new Set<string>();
  const findNew = async (options: Partial<CheckOptions> = {}): Promise<Finding[]> => {
    const report = await checkStorage(library.context, { isQuiet, secondLookMs: 10, ...options });
    const fresh = report.findings.filter(({ kind, subject }) => !seen.has(`${kind} ${subject}`));
    for (const { kind, subject } of fresh) seen.add(`${kind} ${subject}`);
    return fresh;
  };
  const expectNew = async (kind: Finding['kind'], subject: string, detail: RegExp) => {
    const found = await findNew();
    assert.deepEqual(
      found.map((one) => [one.kind, one.subject]),
      [[kind, subject]],
      JSON.stringify(found),
    );
    assert.match(found[0]?.detail ?? '', detail);
    assert.ok((found[0]?.repair ?? '').length > 20);
  };
  assert.deepEqual(await findNew(), []);
  const folder = `downloads/${track.audio?.file_path.split('/')[1]}`;
  return { library, track, stems, folder, findNew, expectNew };
}

test('finds a file with a row that is missing or has another size', async (t) => {
  const { library, stems, folder, expectNew } = await openChecked(t);
  const root = library.context.config.uploadsDir;
  await rm(join(root, folder, 'high.mp3'));
  await expectNew('missing_file', `${folder}/high.mp3`, /a row names it/);
  await writeFile(join(root, folder, 'received'), 'short');
  await expectNew('wrong_size', `${folder}/received`, /it has 5 bytes, its row says \d+/);
  await rm(join(root, 'stems', stems.jobId), { recursive: true });
  await expectNew('missing_file', stems.path, /a row names it/);
});

test('finds an upload whose bytes are missing before its job has prepared them', async (t) => {
  const { library, expectNew } = await openChecked(t);
  const { track_id } = (await library.upload(await testWav({ seconds: 2 }))).body.data;
  const job = await library.context.db
    .selectFrom('jobs')
    .select('args')
    .where('subject_id', '=', track_id)
    .executeTakeFirstOrThrow();
  const { source_id } = job.args['source'] as { source_id: string };
  await rm(join(library.context.config.uploadsDir, 'downloads', source_id), { recursive: true });
  await expectNew('missing_file', `downloads/${source_id}/received`, /an upload/);
});

test('finds files and folders without a row, staging files of dead processes and pending deletions', async (t) => {
  const { library, folder, expectNew } = await openChecked(t);
  await write(library, 'downloads/00000000-0000-4000-8000-000000000001/received');
  await expectNew('unknown_folder', 'downloads/00000000-0000-4000-8000-000000000001', /1 file in it/);
  await write(library, 'stems/00000000-0000-4000-8000-000000000002/drums.wav');
  await expectNew('unknown_folder', 'stems/00000000-0000-4000-8000-000000000002', /no row names it/);
  await write(library, `${folder}/low.mp3`);
  await expectNew('unknown_file', `${folder}/low.mp3`, /no row names it/);
  await write(library, `${stagingName}/another-machine.1.x`);
  await expectNew('stale_staging', `${stagingName}/another-machine.1.x`, /nobody has changed it/);
  await write(library, 'stems/00000000-0000-4000-8000-000000000003/drums.wav');
  const { context } = library;
  await context.db
    .transaction()
    .execute((tx) => markFoldersForDeletion(context, tx, ['stems/00000000-0000-4000-8000-000000000003']));
  await expectNew('pending_deletion', 'stems/00000000-0000-4000-8000-000000000003', /still stands/);
});

test('finds queue entries without a job, jobs without a queue entry, and jobs of dead workers', async (t) => {
  const { library, track, expectNew } = await openChecked(t);
  const { db } = library.context;
  const [first, second, third] = [
    await requestDownload(library, track.id),
    await requestDownload(library, await insertTestTrack(library.context, library.user.id)),
    await requestDownload(library, await insertTestTrack(library.context, library.user.id)),
  ];
  await sql`delete from jobs where id = ${first.id}`.execute(db);
  await expectNew('queue_entry_without_job', first.queue_id ?? '', /line download, state created/);
  await sql`delete from pgboss.job where id = ${second.queue_id}`.execute(db);
  await expectNew('job_without_queue_entry', second.id, /download job, status queued/);
  await sql`update pgboss.job set state = 'active' where id = ${third.queue_id}`.execute(db);
  await sql`update jobs set status = 'downloading', lease_id = ${newId()} where id = ${third.id}`.execute(db);
  await expectNew('lease_holder_gone', third.id, /queue entry active/);
});

test('finds rows that contradict each other', async (t) => {
  const { library, track, stems, expectNew } = await openChecked(t);
  const { context, user } = library;
  const { db } = context;
  const other = await insertTestTrack(context, user.id);

  await sql`update jobs set attempt = 3 where id = ${stems.jobId}`.execute(db);
  await expectNew('job_inconsistent', stems.jobId, /attempts stay within their limit/);
  const bare = (await insertStems(library, track.id)).jobId;
  await sql`delete from stems where processing_job_id = ${bare}`.execute(db);
  await rm(join(context.config.uploadsDir, 'stems', bare), { recursive: true });
  await expectNew('job_inconsistent', bare, /completed processing job without a result/);
  const failed = (await insertStems(library, track.id)).jobId;
  await sql`update jobs set status = 'failed', error = 'x' where id = ${failed}`.execute(db);
  await expectNew('job_inconsistent', failed, /result of a processing job with status failed/);

  await sql`update tracks set stems_job_id = ${stems.jobId} where id = ${other}`.execute(db);
  await expectNew('track_inconsistent', other, /plays stems of processing job/);
  const moved = await insertStems(library, track.id);
  await sql`update stems set track_id = ${other} where id = ${moved.stemId}`.execute(db);
  await expectNew('track_inconsistent', moved.stemId, /stem of another track than its job/);
  await sql`update tracks set quality = 'low' where id = ${track.id}`.execute(db);
  await expectNew('track_inconsistent', track.id, /no rendition of quality low/);

  await sql`insert into beat_grids (track_id, version, step_index, is_locked, edited_at) values (${other}, 1, 2, false, now())`.execute(
    db,
  );
  await expectNew('grid_inconsistent', other, /step 2 is in force and missing/);
  await sql`insert into imports (id, user_id, type, title, total, created_at)
    values ('00000000-0000-4000-8000-000000000009', ${user.id}, 'album', 'x', 2, now())`.execute(db);
  await expectNew('import_inconsistent', '00000000-0000-4000-8000-000000000009', /unfinished without/);
  await sql`insert into track_counts (user_id, change) values (${user.id}, 5)`.execute(db);
  await expectNew('count_inconsistent', String(user.id), /user has 2 tracks, counted are 7/);
  await sql`update tracks set deleted_at = now() - interval '40 days' where id = ${other}`.execute(db);
  await expectNew('pending_deletion', other, /still has its rows/);
});

test('finds audio that no track uses, and a track without audio after its download', async (t) => {
  const { library, track, findNew } = await openChecked(t);
  const { db } = library.context;
  const source = await db.selectFrom('audio_sources').select('id').executeTakeFirstOrThrow();
  await sql`update tracks set audio_source_id = null where id = ${track.id}`.execute(db);
  const found = (await findNew()).map(({ kind, subject }) => `${kind} ${subject}`);
  assert.deepEqual(found.toSorted(), [`track_inconsistent ${track.id}`, `unused_source ${source.id}`]);
});

test('in a running service recent files and running jobs are ignored, and old leftovers are found', async (t) => {
  const { library, findNew } = await openChecked(t, false);
  const { db } = library.context;
  const trackId = await insertTestTrack(library.context, library.user.id);
  const job = await requestDownload(library, trackId);
  await sql`update pgboss.job set state = 'active', heartbeat_on = now() where id = ${job.queue_id}`.execute(
    db,
  );
  await sql`update jobs set status = 'downloading', lease_id = ${newId()} where id = ${job.id}`.execute(db);
  await write(library, 'downloads/00000000-0000-4000-8000-000000000001/received');
  await write(library, `${stagingName}/another-machine.1.young`);
  assert.deepEqual(await findNew(), []);

  await write(library, 'downloads/00000000-0000-4000-8000-000000000002/received', true);
  await sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where id = ${job.queue_id}`.execute(
    db,
  );
  const kinds = (await findNew()).map(({ kind }) => kind);
  assert.deepEqual(kinds.toSorted(), ['lease_holder_gone', 'unknown_folder']);
});

test('a running service that receives, prepares and deletes has no findings at any moment', async (t) => {
  const { library, findNew } = await openChecked(t, false);
  await library.context.queue.start(library.context);
  const work = async () => {
    for (let number = 1; number <= 8; number++) {
      const { track_id } = (await library.upload(await testWav({ seconds: number / 10 }))).body.data;
      const { app } = library;
      const { headers } = library.user;
      if (number % 2 === 0) await app.inject({ method: 'DELETE', url: `/api/tracks/${track_id}`, headers });
    }
    return 'done';
  };
  const working = work();
  const stillWorking = Promise.resolve('working');
  let looks = 0;
  do {
    assert.deepEqual(await findNew(), []);
    looks += 1;
  } while ((await Promise.race([working, stillWorking])) === 'working');
  assert.ok(looks > 1);
});

test('reports nothing about a separation whose stems were deleted or replaced by its user', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.3 }));
  const jobs: string[] = [];
  for (let round = 0; round < 2; round++) {
    jobs.push((await library.ask(separate, { body: { track_id } })).body.data.job_id);
    await drainJobs(library.context);
  }
  await library.ask(deleteStems, { params: { id: jobs[1] ?? '' } });
  const { findings } = await checkStorage(library.context, { isQuiet: true });
  assert.deepEqual(findings, []);
  await library.context.db.updateTable('separations').set({ deleted_at: null }).execute();
  const lost = (await checkStorage(library.context, { isQuiet: true })).findings;
  assert.deepEqual(
    new Set(lost.map(({ kind, subject }) => `${kind} ${subject}`)),
    new Set(jobs.map((id) => `job_inconsistent ${id}`)),
  );
});
