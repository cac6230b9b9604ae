import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

/** Rows with the names before the migration: one user with a track and everything that was renamed. */
const rowsBefore = new URL('./testing/rows-before-0037.sql', import.meta.url);
const user = { id: 1 };
const track = '00000000-0000-7000-8000-000000000002';
const job = '00000000-0000-7000-8000-000000000003';

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
    await sql.raw(await readFile(rowsBefore, 'utf8')).execute(db);

    await database.upgrade();

    const rows = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
      (await query.execute(db)).rows;
    assert.deepEqual(await rows(sql`select audio_path from audio_sources`), [
      { audio_path: 'downloads/a/decoded.flac' },
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
