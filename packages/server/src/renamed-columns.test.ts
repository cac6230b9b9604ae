import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from './platform/clock.ts';
import type { Context } from './platform/context.ts';
import { openDatabase } from './platform/db/database.ts';
import { newId } from './platform/ids.ts';
import { createLog } from './platform/log.ts';
import { createOlderDatabase } from './testing/test-postgres.ts';
import { insertTestSource } from './testing/test-source.ts';
import { insertTestTrack } from './testing/test-track.ts';
import { insertTestUser } from './testing/test-user.ts';

test('rows from before the renaming of columns are complete after it, and triggers count storage as before', async (t) => {
  const database = await createOlderDatabase('0037-column-names.sql');
  t.after(() => database.drop());
  const { db, close } = openDatabase({
    connection: database.connection,
    log: createLog('silent'),
    maxConnections: 2,
  });
  try {
    const context = { db, clock: systemClock } as Context;
    const user = await insertTestUser(context);
    const [source, job, task] = [newId(), newId(), newId()];
    await sql`insert into audio_sources (id, source_key, codec, sample_rate, channels, bytes, duration_ms,
        received_path, sound_path, peaks_path, created_at, stored_bytes)
      values (${source}, 'upload:a', 'wma', 44100, 2, 5, 1000, 'downloads/a/received', 'downloads/a/sound.flac',
        'downloads/a/peaks.bin', now(), 700)`.execute(db);
    const track = await insertTestTrack(context, user.id, 'An old track');
    await db.updateTable('tracks').set({ audio_source_id: source }).where('id', '=', track).execute();
    await sql`insert into jobs (id, type, user_id, subject_kind, subject_id, args, status, progress, attempt,
        max_attempts, created_at, updated_at)
      values (${job}, 'analysis', ${user.id}, 'track', ${track}, '{}', 'completed', 100, 1, 3, now(), now())`.execute(
      db,
    );
    await sql`insert into analyses (job_id, track_id, result, created_at) values (${job}, ${track}, '{}', now())`.execute(
      db,
    );
    await sql`insert into beat_grids (track_id, version, place, is_locked, edited_at)
      values (${track}, 3, 2, false, now())`.execute(db);
    await sql`insert into beat_grid_steps (track_id, place, name, heard_job_id)
      values (${track}, 1, 'shift_ms', null), (${track}, 2, 'multiply', ${job})`.execute(db);
    await sql`insert into doomed_folders (path, created_at) values ('downloads/b', now())`.execute(db);
    await sql`insert into first_answers (user_id, endpoint, key, fingerprint, claim_id, claimed_until, created_at)
      values (${user.id}, 'POST /api/tracks', 'k', 'f', ${newId()}, now(), now())`.execute(db);
    await sql`insert into login_sessions (id, user_id, created_at, last_seen_at, expires_at)
      values ('login', ${user.id}, now(), now(), now())`.execute(db);
    await sql`insert into deck_sessions (id, login_session_id, user_id, state, version, taken, paces, created_at, updated_at)
      values (${newId()}, 'login', ${user.id}, '{}', 1, '[]', '{"a": 1}', now(), now())`.execute(db);
    await sql`insert into cloud_tasks (id, account, user_id, split, stem_types, minutes, state, asked_at)
      values (${task}, 'own:1', ${user.id}, 'voices', '{vocals,backing_vocals}', 1, 'asking', now())`.execute(
      db,
    );

    await database.upgrade();

    const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
      (await query.execute(db)).rows;
    assert.deepEqual(await rows(sql`select audio_path from audio_sources`), [
      { audio_path: 'downloads/a/sound.flac' },
    ]);
    assert.deepEqual(await rows(sql`select step_index from beat_grids`), [{ step_index: 2 }]);
    assert.deepEqual(
      await rows(sql`select step_index, detected_job_id from beat_grid_steps order by step_index`),
      [
        { step_index: 1, detected_job_id: null },
        { step_index: 2, detected_job_id: job },
      ],
    );
    assert.deepEqual(await rows(sql`select path from folders_to_delete`), [{ path: 'downloads/b' }]);
    assert.deepEqual(await rows(sql`select key from idempotent_replies`), [{ key: 'k' }]);
    assert.deepEqual(await rows(sql`select accept_times from deck_sessions`), [{ accept_times: { a: 1 } }]);
    assert.deepEqual(await rows(sql`select split from cloud_tasks`), [{ split: 'lead_and_backing' }]);
    assert.deepEqual(await rows(sql`select search_text from tracks`), [
      { search_text: 'an old track somebody  ' },
    ]);

    const stored = async () =>
      (
        await rows(sql`select sum(bytes)::integer as bytes from storage_changes where user_id = ${user.id}`)
      )[0]?.['bytes'];
    assert.deepEqual(await rows(sql`select audio_bytes from track_storage`), [{ audio_bytes: 700 }]);
    assert.equal(await stored(), 700);
    const next = newId();
    await insertTestSource(context, next);
    await sql`update audio_sources set stored_bytes = 40 where id = ${next}`.execute(db);
    const other = await insertTestTrack(context, user.id);
    await db.updateTable('tracks').set({ audio_source_id: next }).where('id', '=', other).execute();
    assert.equal(await stored(), 740);
    await sql`insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, key,
        audio_source_id, created_at, updated_at)
      values (${newId()}, ${user.id}, 'upload', 'With audio', '', '', '', false, 1000, '', ${next}, now(), now())`.execute(
      db,
    );
    assert.equal(await stored(), 780);
    await db.deleteFrom('tracks').where('id', '=', track).execute();
    assert.equal(await stored(), 80);
  } finally {
    await close();
  }
});
