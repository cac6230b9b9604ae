import { createWriteStream } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathOf } from '@stem-studio/contract/endpoint';
import { createProject } from '@stem-studio/contract/endpoints/projects';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong } from '@stem-studio/dsp/testing/audio-file';
import { openArchive, prepareArchive } from '@stem-studio/server/features/exports/index';
import { writeAudioFile } from '@stem-studio/server/features/exports/write-audio-file';
import { readProjectLog } from '@stem-studio/server/features/projects/index';
import { newId } from '@stem-studio/server/platform/ids';
import { insertSeparatedTrack } from '@stem-studio/server/testing/separated-track';
import { openTestApp } from '@stem-studio/server/testing/test-app';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const types = ['vocals', 'drums', 'bass', 'other', 'guitar', 'piano'] as const;
const sampleRate = 44_100;
const minutes = 6;

/** Writes a stem that repeats a second of tones and clicks. */
async function writeStem(filePath: string): Promise<void> {
  const second = createTestSong(sampleRate, sampleRate).map((one) => one.map((sample) => sample / 6));
  async function* blocks() {
    for (let n = 0; n < 60 * minutes; n++) yield second;
  }
  await writeAudioFile(createWavEncoder({ sampleRate, channels: 2, bitDepth: '24' }), blocks(), filePath);
}

async function measure({ log }: BenchOptions): Promise<BenchRow[]> {
  await using ends = new AsyncDisposableStack();
  const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
  const { app, context, registerUser } = await openTestApp(lifetime, { config: { isProduction: true } });
  const user = await registerUser();
  const { trackId, jobId } = await insertSeparatedTrack(context, user.id, {
    types,
    durationMs: 60_000 * minutes,
  });
  const folder = context.files.absolute(`stems/${jobId}`);
  await mkdir(folder, { recursive: true });
  for (const type of types) await writeStem(path.join(folder, `${type}.wav`));
  const made = await app.inject({
    method: 'POST',
    url: pathOf(createProject, { id: trackId }),
    headers: user.headers,
    payload: {},
  });
  const logged = await readProjectLog(context, made.json<{ data: { id: string } }>().data.id);
  if (!logged) throw new Error('the project was not created');
  const zipPath = path.join(context.config.dataDir, 'project.zip');

  const rssMb = () => process.memoryUsage().rss / 2 ** 20;
  const timed = async (work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    const beforeMb = rssMb();
    await work();
    return { seconds: (performance.now() - startedMs) / 1000, grownMb: rssMb() - beforeMb };
  };
  const archive = await prepareArchive(context, logged);
  const written = await timed(() => pipeline(archive.stream(), createWriteStream(zipPath)));
  await archive.release();
  const megabytes = Number(archive.bytes) / 1e6;
  const copied = await timed(() => copyFile(zipPath, `${zipPath}.copy`));
  log(`${megabytes.toFixed(0)} MB written in ${written.seconds.toFixed(2)} s`);
  const { signal } = new AbortController();
  const opened = await timed(() =>
    openArchive(context, { path: zipPath, userId: user.id, sourceId: newId(), signal }),
  );
  log(`opened in ${opened.seconds.toFixed(2)} s`);
  const rate = megabytes / written.seconds;
  const copyRate = megabytes / copied.seconds;
  return [
    {
      what: `export of six stems of ${minutes} minutes, 24 bits`,
      value: rate,
      unit: 'MB/s',
      against: `copying the file ${copyRate.toFixed(0)} MB/s`,
      ratio: rate / copyRate,
    },
    { what: 'memory added by the export', value: written.grownMb, unit: 'MB' },
    {
      what: 'opening it: stems extracted, decoded, checked, written and summed',
      value: (60 * minutes) / opened.seconds,
      unit: '×',
    },
    { what: 'memory added by opening, in the process of the service', value: opened.grownMb, unit: 'MB' },
  ];
}

/** Export and opening of project archives. */
export const bench: Bench = {
  name: 'project-archive',
  about: 'Writes a project of six stems as an archive and opens it',
  run: measure,
};
