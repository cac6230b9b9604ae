import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkStorage } from '@stem-studio/server/features/storage-check/index';
import { openTestContext, type TestContext } from '@stem-studio/server/testing/test-context';
import { insertTestUser } from '@stem-studio/server/testing/test-user';
import { sql } from 'kysely';
import type { Bench, BenchRow } from './bench.ts';

/** Each has a row as a source, a rendition, a track and a job, and three files. */
const songs = 25_000;
const foldersAtOnce = 200;

async function fill(context: TestContext): Promise<void> {
  const user = await insertTestUser(context);
  const { db } = context;
  await sql`insert into audio_sources (id, source_key, codec, sample_rate, channels, bytes, duration_ms, received_path,
      sound_path, peaks_path, created_at)
    select id, 'upload:' || id, 'pcm', 44100, 2, 1, 1000, folder || '/received', folder || '/received',
      folder || '/peaks.bin', now()
    from (select gen_random_uuid() as id from generate_series(1, ${songs})) as made,
      lateral (select 'downloads/' || id as folder) as named`.execute(db);
  await sql`insert into audio_renditions (source_id, quality, file_path, file_size, created_at)
    select id, 'high', 'downloads/' || id || '/high.mp3', 1, now() from audio_sources`.execute(db);
  await sql`insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, key,
      audio_source_id, quality, created_at, updated_at)
    select gen_random_uuid(), ${user.id}, 'upload', 'A song', '', '', '', false, 1000, '', id, 'high', now(), now()
    from audio_sources`.execute(db);
  await sql`insert into jobs (id, type, user_id, track_id, args, status, progress, attempt, max_attempts, created_at,
      finished_at, updated_at)
    select gen_random_uuid(), 'download', user_id, id, '{}', 'completed', 100, 1, 3, now(), now(), now()
    from tracks`.execute(db);
  const sources = await db.selectFrom('audio_sources').select('id').execute();
  for (let at = 0; at < sources.length; at += foldersAtOnce) {
    await Promise.all(
      sources.slice(at, at + foldersAtOnce).map(async ({ id }) => {
        const folder = join(context.config.uploadsDir, 'downloads', id);
        await mkdir(folder, { recursive: true });
        for (const name of ['received', 'peaks.bin', 'high.mp3']) await writeFile(join(folder, name), 'x');
      }),
    );
  }
}

/** How long the check of the storage takes over a large library. */
export const bench: Bench = {
  name: 'storage-check',
  about: 'studio storage check over 100,000 rows and 75,000 files: sources, renditions, tracks and jobs.',
  async run({ log }): Promise<BenchRow[]> {
    await using ends = new AsyncDisposableStack();
    const context = await openTestContext({ after: (work) => ends.defer(async () => work()) });
    await fill(context);
    log('the library is filled');
    const report = await checkStorage(context, { isQuiet: true });
    return [
      { what: `${songs * 4} rows and ${songs * 3} files`, value: report.seconds, unit: 's', bar: '≤ 10 s' },
      { what: 'findings', value: report.findings.length, unit: '', bar: '0' },
    ];
  },
};
