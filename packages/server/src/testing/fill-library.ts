import { sql } from 'kysely';
import type { Db } from '../platform/db/database.ts';

/**
 * Fills the library of a user with `count` finished tracks. Each has audio, a rendition, and a completed download,
 * separation and analysis.
 */
export async function fillLibrary(db: Db, userId: number, count: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Inserting this many rows takes longer on a busy machine than the limit of a statement.
    await sql`set local statement_timeout = 0`.execute(tx);
    await insertAll(tx, userId, count);
  });
  for (const table of ['audio_sources', 'audio_renditions', 'tracks', 'jobs', 'track_counts'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

async function insertAll(db: Db, userId: number, count: number): Promise<void> {
  const made = sql`select i, md5(${String(userId)} || 't' || i)::uuid as track, md5(${String(userId)} || 's' || i)::uuid as source,
    now() - make_interval(secs => ${count} - i) as at from generate_series(1, ${count}::int) i`;
  await sql`insert into audio_sources (id, source_key, codec, bitrate, sample_rate, channels, bytes, duration_ms,
      received_path, audio_path, peaks_path, created_at)
    select source, 'upload:' || source, 'mp3', 320000, 44100, 2, 9000000, 200000,
      'downloads/' || source || '/received', 'downloads/' || source || '/received', 'downloads/' || source || '/peaks', at
    from (${made}) m`.execute(db);
  await sql`insert into audio_renditions (source_id, quality, file_path, file_size, created_at)
    select source, 'high', 'downloads/' || source || '/high.mp3', 8000000, at from (${made}) m`.execute(db);
  await sql`insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, bpm, key, tags,
      audio_source_id, quality, created_at, updated_at)
    select track, ${userId}, 'upload',
      initcap(substr(md5('a' || i), 1, 6)) || ' ' || substr(md5('b' || i), 1, 5) || ' ' || i,
      'Artist ' || substr(md5('c' || i % 900), 1, 6), 'Album ' || substr(md5('d' || i % 9000), 1, 6),
      'house', false, 120000 + i % 240000, case when i % 20 = 0 then null else 70 + (i % 11000) / 100.0 end,
      (array['A minor', 'C major', 'F# minor', 'D major', 'E minor', 'G major', ''])[1 + i % 7],
      case when i % 10 = 0 then array['late', 'warm'] when i % 3 = 0 then array['warm'] else '{}' end,
      source, 'high', at, at
    from (${made}) m`.execute(db);
  for (const type of ['download', 'processing', 'analysis']) {
    await sql`insert into jobs (id, type, user_id, subject_kind, subject_id, args, status, progress, message, attempt, max_attempts,
        created_at, started_at, finished_at, updated_at)
      select gen_random_uuid(), ${type}, ${userId}, 'track', track, '{}', 'completed', 100, '', 1, 3, at, at, at, at
      from (${made}) m`.execute(db);
  }
}
