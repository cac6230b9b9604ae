import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkStorage } from '@stem-studio/server/features/storage-check/index';
import { insertStoredSongs } from '@stem-studio/server/testing/planted-rows';
import { openTestContext, type TestContext } from '@stem-studio/server/testing/test-context';
import type { Bench, BenchRow } from './bench.ts';

/** Number of songs. Each has a row as a source, a rendition, a track and a job, and three files. */
const songs = 25_000;
const foldersAtOnce = 200;

async function fill(context: TestContext): Promise<void> {
  await insertStoredSongs(context, songs);
  const sources = await context.db.selectFrom('audio_sources').select('id').execute();
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

/** Measures the duration of the storage check of a large library. */
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
