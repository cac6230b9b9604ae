// Whatever is killed in the middle of a separation, the song comes out whole and nothing is left behind.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { getJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob } from '@stem-studio/contract/endpoints/processing';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import type { Track } from '@stem-studio/contract/resources/track';
import { smallSong } from './sound.ts';
import { type Studio, startStudio } from './studio.ts';
import { registerVisitor, type Visitor } from './visitor.ts';

const songSeconds = 75;
const patienceMs = 120_000;

/** Process ids below `parent`, children of children included, with their command lines. */
function descendants(parent: number): { pid: number; command: string }[] {
  const all = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent: Number(afterName[1]), command }];
    } catch {
      return []; // It ended while we looked.
    }
  });
  const found = all.filter((one) => one.parent === parent);
  return found.flatMap((one) => [one, ...descendants(one.pid)]);
}

function isAlive(pid: number): boolean {
  try {
    // A dead process that nobody has waited for yet is a zombie: it runs no more.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const limit = performance.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > limit) throw new Error(`waited in vain until ${what}`);
    await sleep(100);
  }
}

interface Scene {
  studio: Studio;
  visitor: Visitor;
  trackId: string;
  jobId: string;
  engine: { pid: number; command: string };
}

/** A service with one song that is being separated this moment. */
async function separating(t: TestContext): Promise<Scene> {
  // An engine that has nothing to do ends soon, so that it can be seen to.
  const studio = await startStudio(t, { AUTO_ANALYZE: 'off', SEPARATION_REST_SECONDS: '2' });
  const visitor = await registerVisitor(studio);
  const { data } = await visitor.send(uploadFile, 'song.wav', smallSong(songSeconds));
  const trackId = data.track_id;
  const job = await until('the separation runs', async () => {
    const { separation } = (await visitor.call(getTrack, { params: { id: trackId } })).data;
    return separation && separation.progress >= 10 ? separation : null;
  });
  assert.equal(job.status, 'processing');
  const engine = descendants(studio.pid()).find(({ command }) => command.includes('separator/src/main.ts'));
  assert.ok(engine, 'the engine is a child of the service');
  return { studio, visitor, trackId, jobId: job.job_id, engine };
}

/** The track once its separation is over, asking on through a service that is away for a while. */
function finished({ visitor, trackId }: Scene): Promise<Track> {
  return until('the separation is over', async () => {
    const reply = await visitor.call(getTrack, { params: { id: trackId } }).catch(() => null);
    return reply && ['completed', 'failed'].includes(reply.data.separation?.status ?? '') ? reply.data : null;
  });
}

/** 16-bit samples behind the header of a WAV that we wrote. */
function samplesOf(wav: Buffer): Int16Array {
  const start = wav.indexOf('data', 12, 'latin1') + 8;
  return new Int16Array(wav.buffer.slice(wav.byteOffset + start, wav.byteOffset + wav.length));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
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
  const song = samplesOf(smallSong(songSeconds));
  const sum = new Int32Array(song.length);
  for (const stem of stems) {
    assert.equal(stem.file_path, `stems/${jobId}/${stem.stem_type}.wav`);
    const samples = samplesOf(await visitor.bytes(`/files/${stem.file_path}`));
    assert.equal(samples.length, song.length);
    for (let i = 0; i < song.length; i++) sum[i] = (sum[i] ?? 0) + (samples[i] ?? 0);
  }
  assert.ok(
    song.every((sample, i) => sample === sum[i]),
    'the stems sum to the song',
  );

  const source = track.audio?.file_path.split('/')[1];
  const expected = [
    ...['high.mp3', 'peaks.bin', 'received'].map((name) => `downloads/${source}/${name}`),
    ...['bass', 'drums', 'other', 'vocals'].map((name) => `stems/${jobId}/${name}.wav`),
  ];
  const uploads = path.join(studio.dataDir, 'uploads');
  await until('nothing half-written is left', () =>
    Promise.resolve(listFiles(uploads).length === expected.length ? true : null),
  );
  assert.deepEqual(listFiles(uploads), expected);
  await until('the engine is gone', () => Promise.resolve(isAlive(scene.engine.pid) ? null : true));
}

test('the engine is killed: the job is tried once more and completes', async (t) => {
  const scene = await separating(t);
  process.kill(scene.engine.pid, 'SIGKILL');
  await assertWhole(scene, 2);
});

test('the service is killed: its engine ends with it, and the next start takes the job up again', async (t) => {
  const scene = await separating(t);
  await scene.studio.kill9();
  await until('the engine ends', () => Promise.resolve(isAlive(scene.engine.pid) ? null : true));
  await scene.studio.restart();
  await assertWhole(scene, 2);
});

test('the database is killed: the service starts it again, and the job completes', async (t) => {
  const scene = await separating(t);
  const postmaster = Number(
    readFileSync(path.join(scene.studio.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  process.kill(postmaster, 'SIGKILL');
  const track = await finished(scene);
  const job = (await scene.visitor.call(getJob, { params: { id: scene.jobId } })).data;
  assert.equal(track.separation?.error, null);
  assert.ok(job.attempt === 1 || job.attempt === 2);
  await assertWhole(scene, job.attempt);
});
