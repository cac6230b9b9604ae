import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { getDownloadJob } from '@stem-studio/contract/endpoints/downloads';
import { getTrack, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import { readPeaks } from '@stem-studio/dsp/format/peaks-file';
import { decodeFile, signalToNoiseDb } from '@stem-studio/dsp/testing/audio-file';
import { parseFile } from 'music-metadata';
import { type LibraryApp, makeFolder, openLibrary } from '../../testing/library-steps.ts';
import { testFlac, testMp3, testWav, tinyPng, writeTaggedFile } from '../../testing/test-audio.ts';
import { drainJobs, type TestLifetime } from '../../testing/test-context.ts';

/** Opens a library on a folder with these files. */
async function openFolder(
  t: TestLifetime,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<{ library: LibraryApp; folder: string }> {
  const folder = await makeFolder(t);
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return { library: await openLibrary(t, { config: { catalogFolder: folder } }), folder };
}

/** Counts the samples that differ between two recordings; a diff of thousands of samples is not readable. */
function differences(wanted: readonly Float32Array[], got: readonly Float32Array[]): string {
  const lengths = [wanted, got].map((all) => all.map((samples) => samples.length).join('+'));
  let count = 0;
  for (const [index, samples] of wanted.entries())
    count += samples.reduce((sum, sample, at) => sum + (sample === got[index]?.[at] ? 0 : 1), 0);
  return `${lengths[0]} samples wanted, ${lengths[1]} got, ${count} differ`;
}

function assertSameSamples(wanted: readonly Float32Array[], got: readonly Float32Array[]): void {
  const isSame =
    wanted.length === got.length &&
    wanted.every((all, at) => Buffer.compare(bytesOf(all), bytesOf(got[at])) === 0);
  assert.ok(isSame, differences(wanted, got));
}

function bytesOf(samples: Float32Array = new Float32Array()): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Returns the absolute path of the file that a job's `output_path` serves. */
function onDisk({ context }: LibraryApp, outputPath: string | null): string {
  return context.files.absolute(outputPath?.replace(/^\/files\//, '') ?? '');
}

/** Imports the first search result of `query`, waits for the job, and reads the resulting file. */
async function made(library: LibraryApp, query: string, quality: DownloadQuality) {
  const imported = await library.ask(importCatalog, { body: { url: await library.linkOf(query), quality } });
  assert.equal(imported.status, 201);
  await drainJobs(library.context);
  const [item] = imported.body.data.items;
  const job = await library.ask(getDownloadJob, { params: { id: item?.job_id ?? '' } });
  const { output_path, file_size, error } = job.body.data;
  assert.ok(output_path !== null, `${error}`);
  const path = onDisk(library, output_path);
  const bytes = await readFile(path);
  assert.equal(file_size, bytes.length);
  const { format, common } = await parseFile(path);
  return { path, item, format, common, decoded: await decodeFile(bytes) };
}

test('encodes lossless as sample-exact FLAC, and high, medium and low as MP3 of 320, 192 and 128 kbps', async (t) => {
  const wav = await testWav();
  const { library } = await openFolder(t, { 'song.wav': wav });
  const original = await decodeFile(wav);

  const lossless = await made(library, 'song', 'lossless');
  assert.equal(lossless.format.codec, 'FLAC');
  assert.deepEqual([lossless.format.sampleRate, lossless.format.bitsPerSample], [44_100, 16]);
  assertSameSamples(original.samples, lossless.decoded.samples);

  for (const [quality, kbps] of [
    ['high', 320],
    ['medium', 192],
    ['low', 128],
  ] as const) {
    const { format, decoded, item } = await made(library, 'song', quality);
    assert.equal(item?.existing, true);
    assert.equal(format.codec, 'MPEG 1 Layer 3');
    assert.equal(format.bitrate, kbps * 1000);
    assert.equal(decoded.samples[0]?.length, 44_100);
    const snr = signalToNoiseDb(original.samples, decoded.samples);
    assert.ok(snr > 15, `${quality} is ${snr.toFixed(1)} dB above its error`);
  }
});

test('keeps 96 kHz and 24 bits in FLAC and converts to 48 kHz in MP3', async (t) => {
  const wav = await testWav({ sampleRate: 96_000, bitDepth: '24' });
  const { library } = await openFolder(t, { 'song.wav': wav });
  const lossless = await made(library, 'song', 'lossless');
  assert.deepEqual([lossless.format.sampleRate, lossless.format.bitsPerSample], [96_000, 24]);
  assertSameSamples((await decodeFile(wav)).samples, lossless.decoded.samples);
  const high = await made(library, 'song', 'high');
  assert.deepEqual([high.format.sampleRate, high.decoded.samples[0]?.length], [48_000, 48_000]);
});

test('keeps mono at a rate that MP3 supports, folds six channels to two in MP3 and keeps them in FLAC', async (t) => {
  const { library } = await openFolder(t, {
    'narrow.wav': await testWav({ sampleRate: 22_050, channels: 1 }),
    'wide.wav': await testWav({ sampleRate: 48_000, channels: 6 }),
  });
  const mono = await made(library, 'narrow', 'high');
  assert.deepEqual([mono.format.numberOfChannels, mono.format.sampleRate], [1, 44_100]);
  assert.equal(mono.decoded.samples[0]?.length, 44_100);
  const folded = await made(library, 'wide', 'high');
  assert.deepEqual([folded.format.numberOfChannels, folded.decoded.samples[0]?.length], [2, 48_000]);
  const kept = await made(library, 'wide', 'lossless');
  assert.deepEqual([kept.format.numberOfChannels, kept.decoded.samples[5]?.length], [6, 48_000]);
});

test('copies a FLAC requested as lossless and an MP3 that has the requested bitrate', async (t) => {
  const flac = await testFlac({ bitDepth: '24', sampleRate: 48_000 });
  const mp3 = await testMp3({ seconds: 12, channels: 1 }, 192);
  const jingle = await testMp3({ seconds: 0.7 }, 128);
  const { library } = await openFolder(t, { 'exact.flac': flac, 'small.mp3': mp3, 'short.mp3': jingle });
  const lossless = await made(library, 'exact', 'lossless');
  assertSameSamples((await decodeFile(flac)).samples, lossless.decoded.samples);
  assert.equal(lossless.format.bitsPerSample, 24);
  const medium = await made(library, 'small', 'medium');
  assertSameSamples((await decodeFile(mp3)).samples, medium.decoded.samples);

  const short = await made(library, 'short', 'low');
  assertSameSamples((await decodeFile(jingle)).samples, short.decoded.samples);

  const up = await made(library, 'small', 'lossless');
  assert.equal(up.format.codec, 'FLAC');
  const track = await library.ask(getTrack, { params: { id: up.item?.track_id ?? '' } });
  assert.equal(track.body.data.audio?.codec, 'mp3', 'lossless made of a lossy file says so');
});

test('writes title, artist, album, genre and cover into the rendition', async (t) => {
  const { library, folder } = await openFolder(t, {});
  const tags = { title: 'Tide', artist: 'Ebb', album: 'Moon', genre: 'Ambient', isrc: 'DEA123456789' };
  await writeTaggedFile(join(folder, 'x.flac'), await testFlac(), tags, tinyPng);
  for (const quality of ['lossless', 'low'] as const) {
    const { common } = await made(library, 'Tide', quality);
    assert.deepEqual(
      [common.title, common.artist, common.album, common.genre, common.isrc],
      ['Tide', 'Ebb', 'Moon', ['Ambient'], ['DEA123456789']],
    );
    assert.deepEqual(Buffer.from(common.picture?.[0]?.data ?? []), tinyPng);
  }
});

test('tags shared audio from its file or its catalog, never from the edits of one user', async (t) => {
  const { library, folder } = await openFolder(t, {});
  const path = join(folder, 'x.flac');
  await writeTaggedFile(path, await testFlac(), { title: 'Tide', artist: 'Ebb' });
  const bytes = await readFile(path);
  const titleOf = async (output: string) => (await parseFile(output)).common.title;

  const { item } = await made(library, 'Tide', 'lossless');
  const params = { id: item?.track_id ?? '' };
  await library.ask(updateTrack, { params, body: { title: 'My secret', artist: 'Me' } });
  const again = await made(library, 'Tide', 'low');
  assert.deepEqual(
    [again.item?.track_id, again.common.title, again.common.artist],
    [params.id, 'Tide', 'Ebb'],
  );

  const uploaded = (await library.upload(bytes, 'Our secret.flac')).body.data;
  await library.ask(updateTrack, { params: { id: uploaded.track_id }, body: { title: 'My secret' } });
  await drainJobs(library.context);
  const job = await library.ask(getDownloadJob, { params: { id: uploaded.job_id ?? '' } });
  assert.equal(await titleOf(onDisk(library, job.body.data.output_path)), 'Tide');
  const bare = (await library.upload(await testWav(), 'Our secret.wav')).body.data;
  await drainJobs(library.context);
  const nameless = await library.ask(getDownloadJob, { params: { id: bare.job_id ?? '' } });
  assert.equal(await titleOf(onDisk(library, nameless.body.data.output_path)), undefined);
});

test('stores waveform peaks beside the audio at several zooms over its exact length', async (t) => {
  const library = await openLibrary(t);
  const track = await library.addTrack(await testWav({ seconds: 1.5, sampleRate: 32_000 }));
  const bytes = await readFile(library.context.files.absolute(track.audio?.peaks_path ?? ''));
  const peaks = readPeaks(new Uint8Array(bytes));
  assert.deepEqual([peaks.sampleRate, peaks.frames], [32_000, 48_000]);
  assert.deepEqual(
    peaks.zooms.map((zoom) => [zoom.samplesPerPeak, zoom.max.length]),
    [256, 1024, 4096, 16_384].map((samples) => [samples, Math.ceil(48_000 / samples)]),
  );
  assert.ok(Math.max(...(peaks.zooms[3]?.max ?? [])) > 60, 'a song at half of full scale is seen');
});
