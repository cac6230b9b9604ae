// If a process is killed during a separation, the job still completes correctly and leaves no files behind.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { getJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob } from '@stem-studio/contract/endpoints/processing';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import type { Track } from '@stem-studio/contract/resources/track';
import { type EngineProcess, engineOf } from './engine-process.ts';
import { type Studio, type StudioOptions, startStudio } from './studio.ts';
import { smallSong } from './test-audio.ts';
import { until, untilEqual } from './until.ts';
import { registerVisitor, type Visitor } from './visitor.ts';

const song = smallSong(30);
/** Time limit for a job, in ms; only a hanging job reaches it. */
const workLimitMs = 300_000;

interface Scene {
  studio: Studio;
  visitor: Visitor;
  trackId: string;
  jobId: string;
  engine: EngineProcess;
}

/** Starts a service with one song, stops its engine in the middle of the separation and returns both. */
async function separating(t: TestContext, options: StudioOptions = {}): Promise<Scene> {
  // A short idle time ends the engine soon after the job, so that the test can check it.
  const settings = { AUTO_ANALYZE: 'off', SEPARATION_REST_SECONDS: '2' };
  const studio = await startStudio(t, settings, options);
  const visitor = await registerVisitor(studio);
  const { data } = await visitor.send(uploadFile, 'song.wav', song);
  const trackId = data.track_id;
  await until(
    'the separation that runs',
    async () => (await visitor.call(getTrack, { params: { id: trackId } })).data.separation,
    (separation) => (separation?.progress ?? 0) >= 10,
    workLimitMs,
  );
  const engine = await engineOf(studio);
  engine.freeze();
  const { separation } = (await visitor.call(getTrack, { params: { id: trackId } })).data;
  assert.equal(separation?.status, 'processing', 'the song is too short for a machine as quick as this');
  return { studio, visitor, trackId, jobId: separation.job_id, engine };
}

/** Returns the track once its separation has ended; retries while the service is unavailable. */
async function finished({ visitor, trackId }: Scene): Promise<Track> {
  const seen = await until<Track | Error>(
    'the track whose separation is over',
    async () => {
      try {
        return (await visitor.call(getTrack, { params: { id: trackId } })).data;
      } catch (error) {
        return error as Error;
      }
    },
    (track) => 'separation' in track && ['completed', 'failed'].includes(track.separation?.status ?? ''),
    workLimitMs,
  );
  return seen as Track;
}

/** Returns the 16-bit samples of a WAV file written by this project. */
function samplesOf(wav: Buffer): Int16Array {
  const start = wav.indexOf('data', 12, 'latin1') + 8;
  return new Int16Array(wav.buffer.slice(wav.byteOffset + start, wav.byteOffset + wav.length));
}

/** Lists the files below a folder, sorted; returns an error text if a folder disappears during the scan. */
function listFiles(folder: string): string[] | string {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .sort();
  } catch (error) {
    return String(error);
  }
}

async function assertWhole(scene: Scene, attempts: number): Promise<void> {
  const { studio, visitor, jobId } = scene;
  const track = await finished(scene);
  assert.equal(track.separation?.error, null);
  assert.equal(track.separation?.status, 'completed');
  assert.equal(track.separation?.job_id, jobId);
  const job = (await visitor.call(getJob, { params: { id: jobId } })).data;
  assert.equal(job.attempt, attempts);

  const { stems } = (await visitor.call(getProcessingJob, { params: { id: jobId } })).data;
  assert.deepEqual(stems.map((stem) => stem.stem_type).sort(), ['bass', 'drums', 'other', 'vocals']);
  const samplesOfSong = samplesOf(song);
  const sum = new Int32Array(samplesOfSong.length);
  for (const stem of stems) {
    assert.equal(stem.file_path, `stems/${jobId}/${stem.stem_type}.wav`);
    const samples = samplesOf(await visitor.bytes(`/files/${stem.file_path}`));
    assert.equal(samples.length, samplesOfSong.length);
    for (let i = 0; i < samplesOfSong.length; i++) sum[i] = (sum[i] ?? 0) + (samples[i] ?? 0);
  }
  const wrong = samplesOfSong.findIndex((sample, i) => sample !== sum[i]);
  assert.equal(
    wrong,
    -1,
    `the stems sum to ${sum[wrong]} at sample ${wrong}, where the song has ${samplesOfSong[wrong]}`,
  );

  const source = track.audio?.file_path.split('/')[1];
  const expected = [
    'disk-reserve.bin',
    ...['high.mp3', 'peaks.bin', 'received'].map((name) => `downloads/${source}/${name}`),
    'stem-studio-storage.json',
    ...['bass', 'drums', 'other', 'vocals'].map((name) => `stems/${jobId}/${name}.wav`),
  ];
  const uploads = path.join(studio.dataDir, 'uploads');
  await untilEqual('files that are left', () => listFiles(uploads), expected);
  await untilEqual('the engine is alive', () => scene.engine.isAlive(), false);
}

test('after its engine is killed, a job is retried once and completes', async (t) => {
  const scene = await separating(t);
  scene.engine.kill9();
  await assertWhole(scene, 2);
});

test('when the service is killed its engine ends, and the restarted service retries the job', async (t) => {
  const scene = await separating(t, { hasOwnPostgres: true });
  await scene.studio.kill9();
  scene.engine.thaw();
  await untilEqual('the engine is alive', () => scene.engine.isAlive(), false);
  await scene.studio.restart();
  await assertWhole(scene, 2);
});

test('after the database is killed, the service restarts it and the job completes', async (t) => {
  const scene = await separating(t, { hasOwnPostgres: true });
  const postmaster = Number(
    readFileSync(path.join(scene.studio.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  process.kill(postmaster, 'SIGKILL');
  scene.engine.thaw();
  const track = await finished(scene);
  const job = (await scene.visitor.call(getJob, { params: { id: scene.jobId } })).data;
  assert.equal(track.separation?.error, null);
  assert.ok(job.attempt === 1 || job.attempt === 2, `attempt ${job.attempt}`);
  await assertWhole(scene, job.attempt);
});
