import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { createProjectExport, exportProject } from '@stem-studio/contract/endpoints/edit-export';
import { cancelJob } from '@stem-studio/contract/endpoints/jobs';
import { downloadMix, getMix } from '@stem-studio/contract/endpoints/mixes';
import { addEditOperations, createProject, deleteProject } from '@stem-studio/contract/endpoints/projects';
import { newCompressor } from '@stem-studio/contract/resources/lane-effects';
import { createLoudnessMeter } from '@stem-studio/dsp/feature/loudness';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { decodeFile, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { openLibrary } from '../../../testing/library-steps.ts';
import { sentEdit } from '../../../testing/project-steps.ts';
import { readZip } from '../../../testing/read-zip.ts';
import { insertSeparatedTrack } from '../../../testing/separated-track.ts';
import { drainJobs, type TestLifetime } from '../../../testing/test-context.ts';

const rateHz = 44_100;
const seconds = 4;
const tones = { drums: 330, bass: 110, other: 440, vocals: 220 } as const;

/** The service with a project whose stems are tones of amplitude 0.1. */
async function openStudio(t: TestLifetime) {
  const library = await openLibrary(t);
  const { context, user } = library;
  const { trackId, jobId } = await insertSeparatedTrack(context, user.id, { durationMs: seconds * 1000 });
  for (const [stem, hz] of Object.entries(tones)) {
    const tone = Float32Array.from(
      { length: seconds * rateHz },
      (_, n) => 0.1 * Math.sin((2 * Math.PI * hz * n) / rateHz),
    );
    const path = context.files.absolute(`stems/${jobId}/${stem}.wav`);
    await mkdir(dirname(path), { recursive: true });
    const encoder = createWavEncoder({ sampleRate: rateHz, channels: 2, bitDepth: '24' });
    await writeFile(path, await encodeFile(encoder, [tone, tone]));
  }
  const made = await library.ask(createProject, { params: { id: trackId }, body: {} });
  const params = { id: made.body.data.id };
  const exported = (query: Readonly<Record<string, string>> = {}, headers = user.headers) =>
    library.app.inject({
      method: 'GET',
      url: pathOf(exportProject, params),
      query,
      headers,
    });
  return { library, params, jobId, exported };
}

test('exports a project with its stored stems, as it was edited', async (t) => {
  const { library, params, exported } = await openStudio(t);
  const edits = [
    sentEdit('mute', { value: 1, lanes: ['drums', 'bass', 'other'] }),
    sentEdit('volume', { value: 200, stem_type: 'vocals' }),
    sentEdit('remove_time', { start_ms: 1000, end_ms: 2000 }),
  ];
  await library.ask(addEditOperations, { params, body: { edits } });
  const reply = await exported({ bit_depth: '32f' });
  assert.equal(reply.statusCode, 200, reply.body.slice(0, 300));
  assert.match(String(reply.headers['content-disposition']), /\.wav/);
  const { info, samples } = await decodeFile(new Uint8Array(reply.rawPayload));
  assert.deepEqual([info.bits_per_sample, samples[0]?.length], [32, 3 * rateHz]);
  for (const n of [50, 20_000, 100_000]) {
    const frame = n < rateHz ? n : n + rateHz;
    const expected = 0.2 * Math.sin((2 * Math.PI * tones.vocals * frame) / rateHz);
    assert.ok(Math.abs((samples[0]?.[n] ?? 0) - expected) < 1e-5, `frame ${n}`);
  }
});

test('exports a range as FLAC and as MP3, and normalises the peak or the loudness', async (t) => {
  const { exported } = await openStudio(t);
  const range = { start_ms: '1000', end_ms: '3000' };
  const flac = await decodeFile(
    new Uint8Array((await exported({ ...range, format: 'flac', normalize: 'peak' })).rawPayload),
  );
  assert.deepEqual([flac.info.codec, flac.samples[0]?.length], ['flac', 2 * rateHz]);
  const peak = Math.max(...(flac.samples[0] ?? []).map(Math.abs));
  assert.ok(Math.abs(20 * Math.log10(peak) + 1) < 0.01, `${20 * Math.log10(peak)} dBFS`);
  const loud = await decodeFile(new Uint8Array((await exported({ normalize: 'loudness' })).rawPayload));
  const meter = createLoudnessMeter({ sampleRate: rateHz, channels: 2 });
  meter.push(loud.samples);
  const lufs = meter.finish();
  assert.ok(Math.abs(lufs + 14) < 0.1, `${lufs} LUFS`);
  const mp3 = await decodeFile(new Uint8Array((await exported({ ...range, format: 'mp3' })).rawPayload));
  assert.deepEqual([mp3.info.codec, mp3.info.channels], ['mp3', 2]);
});

test('a project of somebody else, a reversed range and deleted stems are refused', async (t) => {
  const { library, jobId, exported } = await openStudio(t);
  const stranger = await library.registerUser();
  assert.equal((await exported({}, stranger.headers)).statusCode, 404);
  const reversed = await exported({ start_ms: '3000', end_ms: '1000' });
  assert.equal(reversed.statusCode, 422);
  assert.match(reversed.body, /must be after start_ms/);
  await library.context.db.deleteFrom('stems').where('processing_job_id', '=', jobId).execute();
  await rm(library.context.files.absolute(`stems/${jobId}`), { recursive: true });
  const without = await exported();
  assert.equal(without.statusCode, 422);
  assert.match(
    without.body,
    /PROJECT_WITHOUT_STEMS.*Separate the track|Separate the track.*PROJECT_WITHOUT_STEMS/,
  );
});

/** @spec Editor exports */
test('a job renders a project with progress, and its lanes as a ZIP that adds up to the mix', async (t) => {
  const { library, params } = await openStudio(t);
  const edits = [
    sentEdit('mute', { value: 1, lanes: ['bass'] }),
    sentEdit('reverb_send', { value: 40, stem_type: 'vocals' }),
    sentEdit('compressor', { value: newCompressor, stem_type: 'drums' }),
    sentEdit('transpose', { value: 3, stem_type: 'other' }),
    sentEdit('remove_time', { start_ms: 1000, end_ms: 2000 }),
  ];
  await library.ask(addEditOperations, { params, body: { edits } });
  const render = async (content: 'mix' | 'stems') => {
    const body = { content, bit_depth: '32f', normalize: 'peak' } as const;
    const { status, body: made } = await library.ask(createProjectExport, { params, body });
    assert.equal(status, 201, JSON.stringify(made));
    const { id } = made.data;
    assert.equal((await library.ask(createProjectExport, { params, body })).body.data.id, id, 'asked twice');
    await drainJobs(library.context);
    const { data } = (await library.ask(getMix, { params: { id } })).body;
    assert.deepEqual([data.status, data.error, data.is_ready], ['completed', null, true]);
    const { headers } = library.user;
    const file = await library.app.inject({ method: 'GET', url: pathOf(downloadMix, { id }), headers });
    assert.equal(file.statusCode, 200);
    return file;
  };
  const file = await render('mix');
  assert.match(String(file.headers['content-disposition']), /\(Edit 1\)\.wav/);
  const mix = (await decodeFile(new Uint8Array(file.rawPayload))).samples;
  assert.ok((mix[0]?.length ?? 0) > 5 * rateHz, 'the reverb rings out');
  const zip = await render('stems');
  assert.match(String(zip.headers['content-disposition']), /\(Edit 1\)\.zip/);
  const files = readZip(zip.rawPayload);
  assert.deepEqual([...files.keys()], ['vocals.wav', 'drums.wav', 'other.wav'], 'audible lanes');
  const sum = mix.map(({ length }) => new Float32Array(length));
  for (const bytes of files.values()) {
    const { samples } = await decodeFile(new Uint8Array(bytes));
    for (const [channel, total] of sum.entries()) {
      assert.equal(samples[channel]?.length, total.length);
      for (let n = 0; n < total.length; n++) total[n]! += samples[channel]?.[n] ?? 0;
    }
  }
  const apart = Math.max(
    ...sum.map((total, channel) =>
      total.reduce((most, sample, n) => Math.max(most, Math.abs(sample - (mix[channel]?.[n] ?? 0))), 0),
    ),
  );
  assert.ok(apart < 1e-5, `${20 * Math.log10(apart)} dB apart`);
});

test('a rendering of less than 100 ms is refused', async (t) => {
  const { library, params } = await openStudio(t);
  const reply = await library.ask(createProjectExport, { params, body: { start_ms: 1000, end_ms: 1050 } });
  assert.equal(reply.status, 422);
  assert.match(JSON.stringify(reply.error), /at least 100 ms after start_ms \(got 50\)/);
});

test('a rendering of a project that was cancelled leaves no file, and one of a deleted project says why', async (t) => {
  const { library, params } = await openStudio(t);
  const first = await library.ask(createProjectExport, { params, body: {} });
  const cancelled = { params: { id: first.body.data.id } };
  assert.equal((await library.ask(cancelJob, cancelled)).status, 204);
  await drainJobs(library.context);
  assert.equal((await library.ask(getMix, cancelled)).body.data.is_ready, false);
  const second = await library.ask(createProjectExport, { params, body: { format: 'mp3' } });
  await library.ask(deleteProject, { params });
  await drainJobs(library.context);
  const { data } = (await library.ask(getMix, { params: { id: second.body.data.id } })).body;
  assert.deepEqual([data.status, data.error], ['failed', 'The project was deleted. Nothing was exported.']);
});
