import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { downloadTrack } from '@stem-studio/contract/endpoints/downloads';
import { getJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, listModels, separate } from '@stem-studio/contract/endpoints/processing';
import { listSeparations } from '@stem-studio/contract/endpoints/separations';
import { getTrack } from '@stem-studio/contract/endpoints/tracks';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import {
  type LibraryApp,
  listenTo,
  makeFolder,
  messagesToTheEnd,
  openLibrary,
} from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

async function separated(library: LibraryApp, trackId: string, more: object = {}) {
  const accepted = await library.ask(separate, { body: { track_id: trackId, ...more } });
  assert.equal(accepted.status, 201);
  await drainJobs(library.context);
  const { job_id: id } = accepted.body.data;
  return (await library.ask(getProcessingJob, { params: { id } })).body.data;
}

test('separates a track into four stems of 44.1 kHz stereo that sum to the received audio', async (t) => {
  const library = await openLibrary(t);
  const wav = await testWav({ seconds: 2 });
  const track = await library.addTrack(wav);
  const received = listenTo(library.context, `library:${library.user.id}`);
  const job = await separated(library, track.id);
  assert.equal(job.error, null);
  assert.deepEqual(
    [job.status, job.progress, job.model, job.engine],
    ['completed', 100, 'hybrid_4', 'local'],
  );
  assert.deepEqual(job.stems.map((stem) => stem.stem_type).toSorted(), ['bass', 'drums', 'other', 'vocals']);

  const sum = [new Float32Array(88_200), new Float32Array(88_200)];
  for (const stem of job.stems) {
    assert.equal(stem.file_path, `stems/${job.id}/${stem.stem_type}.wav`);
    assert.deepEqual(
      [stem.track_id, stem.processing_job_id, stem.engine, stem.model, stem.backend],
      [track.id, job.id, 'local', 'hybrid_4', 'spectral'],
    );
    assert.deepEqual([stem.sample_rate, stem.channels, stem.duration_ms], [44_100, 2, 2000]);
    const bytes = await readFile(library.context.files.absolute(stem.file_path));
    assert.equal(stem.file_size, bytes.length);
    const { samples, info } = await decodeFile(bytes);
    assert.deepEqual([info.codec, info.sample_rate, info.bits_per_sample], ['wav', 44_100, 16]);
    const peak = samples.flatMap((all) => [...all]).reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    assert.ok(
      Math.abs(stem.peak - peak) <= 1 / 32_768,
      `${stem.stem_type}: ${stem.peak} reported, ${peak} measured`,
    );
    for (const [index, all] of sum.entries())
      for (const [at, sample] of (samples[index] ?? []).entries()) all[at] = (all[at] ?? 0) + sample;
  }
  const original = (await decodeFile(wav)).samples;
  let worst = 0;
  for (const [index, all] of original.entries())
    for (const [at, sample] of all.entries())
      worst = Math.max(worst, Math.abs(sample - (sum[index]?.[at] ?? 0)));
  // Each of the four was rounded by at most half a step of 16 bits.
  assert.ok(worst <= 2.01 / 32_768, `the sum is off by ${(worst * 32_768).toFixed(2)} steps of 16 bits`);

  const shown = (await library.ask(getTrack, { params: { id: track.id } })).body.data;
  assert.deepEqual([shown.stems_job_id, shown.separation?.status], [job.id, 'completed']);
  const payloads = await messagesToTheEnd(received, job.id);
  const progress = payloads.map((payload) => libraryChannel.pushes.job_progress.parse(payload).progress);
  assert.ok(
    progress.every((percent) => percent % 10 === 0 || percent === 99) && progress.at(-1) === 100,
    String(progress),
  );
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
});

test('separates a track into six stems with hybrid_6, among them guitar and piano', async (t) => {
  const library = await openLibrary(t);
  const track = await library.addTrack(await testWav({ seconds: 1 }));
  const job = await separated(library, track.id, { model: 'hybrid_6' });
  assert.deepEqual([job.error, job.status, job.model], [null, 'completed', 'hybrid_6']);
  assert.deepEqual(job.stems.map((stem) => stem.stem_type).toSorted(), [
    'bass',
    'drums',
    'guitar',
    'other',
    'piano',
    'vocals',
  ]);
  for (const stem of job.stems) {
    const { samples } = await decodeFile(await readFile(library.context.files.absolute(stem.file_path)));
    assert.deepEqual([samples.length, samples[0]?.length], [2, 44_100]);
  }
});

test('separates mono of another rate into stereo stems at 44.1 kHz of the same length', async (t) => {
  const library = await openLibrary(t);
  const track = await library.addTrack(await testWav({ seconds: 1, sampleRate: 48_000, channels: 1 }));
  const { stems } = await separated(library, track.id);
  assert.deepEqual(
    stems.map((stem) => [stem.sample_rate, stem.channels, stem.duration_ms]),
    Array.from({ length: 4 }, () => [44_100, 2, 1000]),
  );
});

test('reuses an identical queued separation and creates a separate job for a different one', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.5 }));
  const first = await library.ask(separate, { body: { track_id } });
  const again = await library.ask(separate, { body: { track_id } });
  const preview = await library.ask(separate, { body: { track_id, preview: true } });
  assert.deepEqual([first.status, again.status, preview.status], [201, 200, 201]);
  assert.deepEqual(first.body.data, { ...again.body.data, track_id, model: 'hybrid_4', status: 'queued' });
  assert.notEqual(preview.body.data.job_id, first.body.data.job_id);
  const { stems, status } = (await library.ask(getProcessingJob, { params: { id: first.body.data.job_id } }))
    .body.data;
  assert.deepEqual([stems, status], [[], 'queued']);
});

test('never replaces full stems with a preview', async (t) => {
  const library = await openLibrary(t);
  const track = await library.addTrack(await testWav({ seconds: 0.5 }));
  const shown = async () =>
    (await library.ask(getTrack, { params: { id: track.id } })).body.data.stems_job_id;
  const early = await separated(library, track.id, { preview: true });
  assert.deepEqual(
    [early.status, early.preview, early.stems.length, await shown()],
    ['completed', true, 4, null],
  );
  const full = await separated(library, track.id);
  assert.equal(await shown(), full.id);
  await separated(library, track.id, { preview: true });
  assert.equal(await shown(), full.id);
});

test('lists the four models with their stems and availability', async (t) => {
  const library = await openLibrary(t);
  const { models } = (await library.ask(listModels)).body.data;
  assert.deepEqual(
    models.map((model) => [model.name, model.stems, model.available, model.backend]),
    [
      ['hybrid_4', 4, true, 'spectral'],
      ['hybrid_4_ft', 4, true, 'spectral'],
      ['hybrid_6', 6, true, 'spectral'],
      ['alt_4', 4, true, 'spectral'],
    ],
  );
  assert.deepEqual(
    models.map(({ label }) => label),
    ['Fast', 'Best', 'Six stems', 'Vocals first'],
  );
});

test('states the speed of a model once it has separated a song', async (t) => {
  const library = await openLibrary(t);
  const speeds = async () =>
    (await library.ask(listModels)).body.data.models.map(({ name, speed }) => [name, speed] as const);
  assert.ok((await speeds()).every(([, speed]) => speed === null));
  const track = await library.addTrack(await testWav({ seconds: 2 }));
  const job = await separated(library, track.id);
  const { data } = (await library.ask(listSeparations, { params: { track_id: track.id } })).body;
  const taken = data.find(({ job_id }) => job_id === job.id)?.seconds_taken ?? 0;
  const [first, ...others] = await speeds();
  assert.equal(first?.[0], 'hybrid_4');
  assert.ok(Math.abs((first[1] ?? 0) * taken - 2) < 0.01, `${first[1]} × ${taken} s`);
  assert.ok(others.every(([, other]) => other === null));
});

test('rejects an unusable model, an unusable engine and a track without audio with 422 and the rule', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const bare = await insertTestTrack(library.context, library.user.id);
  const refused: readonly [object, string, RegExp][] = [
    [{ track_id, engine: 'cloud' }, 'CLOUD_KEY_MISSING', /set yours under Settings/],
    [{ track_id, stem_types: ['vocals'] }, 'VALIDATION_ERROR', /stem_types is for the engine cloud/],
    [{ track_id, model: 'other' }, 'VALIDATION_ERROR', /model/],
    [{ track_id, engine: 'remote' }, 'VALIDATION_ERROR', /engine/],
    [{ track_id: 'x' }, 'VALIDATION_ERROR', /track_id/],
    [{ track_id: bare }, 'TRACK_NOT_DOWNLOADED', /no audio yet/],
  ];
  for (const [body, code, rule] of refused) {
    const reply = await library.ask(separate, { body });
    assert.deepEqual([reply.status, reply.error.code], [422, code]);
    assert.match(reply.error.error, rule);
    assert.ok(reply.error.details);
  }
  const stranger = await library.registerUser();
  assert.equal((await library.ask(separate, { body: { track_id } }, stranger)).status, 404);
});

test('fails the separation of missing audio with a remedy and allows a retry', async (t) => {
  const library = await openLibrary(t);
  const track = await library.addTrack(await testWav({ seconds: 0.2 }));
  await library.context.files.remove(track.audio?.file_path.replace(/[^/]+$/, 'received') ?? '');
  const job = await separated(library, track.id);
  assert.equal(job.status, 'failed');
  assert.ok(job.error && !/ENOENT|at .*\.ts/.test(job.error), `${job.error}`);
  const again = await library.ask(retryJob, { params: { id: job.id } });
  assert.equal(again.status, 201);
  const shown = (await library.ask(getJob, { params: { id: again.body.data.id } })).body.data;
  assert.deepEqual([shown.type, shown.status], ['processing', 'queued']);
});

test('separates an import automatically, once for the same audio in any quality', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 0.3 }));
  const library = await openLibrary(t, { config: { autoSeparate: true, catalogFolder: folder } });
  const url = await library.linkOf('song');
  const { track_id: id } = (await library.ask(downloadTrack, { body: { url } })).body.data;
  assert.equal(await drainJobs(library.context), 2);
  const shown = async () => (await library.ask(getTrack, { params: { id } })).body.data;
  const first = await shown();
  assert.deepEqual([first.separation?.status, first.separation?.job_id], ['completed', first.stems_job_id]);
  await library.ask(downloadTrack, { body: { url, quality: 'low' } });
  assert.equal(await drainJobs(library.context), 1);
  assert.equal((await shown()).stems_job_id, first.stems_job_id);
});
