import { sql } from 'kysely';
import type { Context } from '../platform/context.ts';
import { insertTestUser } from './test-user.ts';

/**
 * Inserts songs of a new user: each has a source, a rendition, a track and a completed job. Their files are not
 * written.
 */
export async function insertStoredSongs(context: Context, count: number): Promise<void> {
  const user = await insertTestUser(context);
  const { db } = context;
  await sql`insert into audio_sources (id, source_key, codec, sample_rate, channels, bytes, duration_ms, received_path,
      audio_path, peaks_path, created_at)
    select id, 'upload:' || id, 'pcm', 44100, 2, 1, 1000, folder || '/received', folder || '/received',
      folder || '/peaks.bin', now()
    from (select gen_random_uuid() as id from generate_series(1, ${count})) as made,
      lateral (select 'downloads/' || id as folder) as named`.execute(db);
  await sql`insert into audio_renditions (source_id, quality, file_path, file_size, created_at)
    select id, 'high', 'downloads/' || id || '/high.mp3', 1, now() from audio_sources`.execute(db);
  await sql`insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, key,
      audio_source_id, quality, created_at, updated_at)
    select gen_random_uuid(), ${user.id}, 'upload', 'A song', '', '', '', false, 1000, '', id, 'high', now(), now()
    from audio_sources`.execute(db);
  await sql`insert into jobs (id, type, user_id, subject_kind, subject_id, args, status, progress, attempt, max_attempts, created_at,
      finished_at, updated_at)
    select gen_random_uuid(), 'download', user_id, 'track', id, '{}', 'completed', 100, 1, 3, now(), now(), now()
    from tracks`.execute(db);
}

/** Inserts missing files into the index of the catalog folder. */
export async function insertVanishedFiles({ db }: Context, count: number): Promise<void> {
  await sql`insert into catalog_files (catalog_id, path, bytes, modified_ms, title, artist, album, disc_number,
      track_number, genre, duration_ms, has_cover)
    select lpad(n::text, 22, '0'), 'gone/' || n || '.wav', 1, 1, 'Gone ' || n, '', '', 0, 0, '', 1000, false
    from generate_series(1, ${count}) as n`.execute(db);
}

/** Drops the table that counts attempts and requests. */
export async function dropRateLimits({ db }: Context): Promise<void> {
  await sql`drop table rate_limits`.execute(db);
}
