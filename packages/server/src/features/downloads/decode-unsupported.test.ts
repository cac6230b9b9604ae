import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { getDownloadJob } from '@stem-studio/contract/endpoints/downloads';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { findFfmpeg } from '../../platform/process/ffmpeg.ts';
import { isAlive } from '../../platform/process/is-alive.ts';
import { eventually } from '../../testing/eventually.ts';
import { makeFolder, openLibrary } from '../../testing/library-steps.ts';
import { fakeM4a, installFakeFfmpeg } from '../../testing/stand-ins/fake-ffmpeg.ts';
import { testFlac } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { ffmpegArguments } from './decode-unsupported.ts';

test('keeps an M4A as received and reads the audio that ffmpeg decoded from it', async (t) => {
  const folder = await makeFolder(t);
  const ffmpegPath = await installFakeFfmpeg(join(folder, 'ffmpeg'), 'decodes');
  const library = await openLibrary(t, { config: { ffmpegPath } });
  const flac = await testFlac({ seconds: 0.5 });
  const m4a = fakeM4a(flac);
  const track = await library.addTrack(m4a, 'Orange.m4a');
  assert.deepEqual(
    [track.audio?.codec, track.audio?.sample_rate, track.audio?.bytes, track.duration_ms],
    ['m4a', 44_100, m4a.length, 500],
  );
  assert.equal(track.audio?.bitrate, Math.round((m4a.length * 8) / 0.5));
  const [source] = await library.context.db.selectFrom('audio_sources').selectAll().execute();
  assert.ok(source);
  const at = (path: string) => readFile(library.context.files.absolute(path));
  assert.deepEqual(await at(source.received_path), Buffer.from(m4a));
  assert.match(source.audio_path, /\/decoded\.flac$/);
  assert.deepEqual(await at(source.audio_path), Buffer.from(flac));

  assert.equal((await library.upload(m4a, 'again.m4a')).body.data.track_id, track.id);
});

test('names the formats that ffmpeg decodes when it refuses a file of another format', async (t) => {
  const folder = await makeFolder(t);
  const ffmpegPath = await installFakeFfmpeg(join(folder, 'ffmpeg'), 'decodes');
  const library = await openLibrary(t, { config: { ffmpegPath } });
  const { status, error } = await library.upload(Buffer.from('only text\n'.repeat(100)), 'notes.mp3');
  assert.equal(status, 422);
  assert.match(error.error, /WAV, AIFF, MP3, FLAC, Ogg, Opus, M4A, AAC, WebM or WMA/);
});

test('fails the job of an M4A that ffmpeg cannot read with a remedy and stores nothing', async (t) => {
  const folder = await makeFolder(t);
  const ffmpegPath = await installFakeFfmpeg(join(folder, 'ffmpeg'), 'fails');
  const library = await openLibrary(t, { config: { ffmpegPath } });
  const { body } = await library.upload(fakeM4a(Buffer.from('no sound')), 'Orange.m4a');
  await drainJobs(library.context);
  const id = body.data.job_id ?? '';
  const job = (await library.ask(getDownloadJob, { params: { id } })).body.data;
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /must contain audio that ffmpeg can decode \(it could not read this M4A\)/);
  assert.deepEqual(await library.storedFiles(), []);
});

test('keeps an upload while ffmpeg is killed or missing and decodes it in a later attempt', async (t) => {
  const folder = await makeFolder(t);
  const ffmpegPath = await installFakeFfmpeg(join(folder, 'ffmpeg'), 'dies');
  const library = await openLibrary(t, { config: { ffmpegPath } });
  const { body } = await library.upload(fakeM4a(await testFlac({ seconds: 0.1 })), 'Orange.m4a');
  let id = body.data.job_id ?? '';
  const shown = async () => (await library.ask(getDownloadJob, { params: { id } })).body.data;
  const again = async () => {
    id = (await library.ask(retryJob, { params: { id } })).body.data.id;
    await drainJobs(library.context);
  };
  await drainJobs(library.context);
  assert.match((await shown()).error ?? '', /ffmpeg was killed/);
  await rm(ffmpegPath);
  await again();
  assert.match((await shown()).error ?? '', /this machine has none.*press Retry/);
  await installFakeFfmpeg(ffmpegPath, 'decodes');
  await again();
  assert.equal((await shown()).status, 'completed');
});

test('ends ffmpeg when the job is cancelled', async (t) => {
  const folder = await makeFolder(t);
  const ffmpegPath = await installFakeFfmpeg(join(folder, 'ffmpeg'), 'hangs');
  const library = await openLibrary(t, { config: { ffmpegPath } });
  // Started workers receive a cancel at once, whatever the job reports meanwhile.
  await library.context.queue.start(library.context);
  const { body } = await library.upload(fakeM4a(await testFlac({ seconds: 0.1 })), 'Orange.m4a');
  const pidFile = `${ffmpegPath}.pid`;
  const written = () => readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number(await eventually(written, (text) => text !== ''));
  await library.ask(cancelJob, { params: { id: body.data.job_id ?? '' } });
  await eventually(
    () => isAlive(pid),
    (alive) => !alive,
  );
  await eventually(library.storedFiles, (files) => !files.some((path) => path.startsWith('.staging')));
  assert.equal(
    (await library.storedFiles()).some((path) => path.endsWith('.flac')),
    false,
  );
});

test('imports M4A files of a folder like any other track when ffmpeg is present', async (t) => {
  const folder = await makeFolder(t);
  const ffmpegPath = await installFakeFfmpeg(join(folder, 'ffmpeg'), 'decodes');
  await writeFile(join(folder, 'Orange.m4a'), fakeM4a(await testFlac({ seconds: 0.3 })));
  const library = await openLibrary(t, { config: { ffmpegPath, catalogFolder: folder } });
  const url = await library.linkOf('Orange');
  const { status, body } = await library.ask(importCatalog, { body: { url } });
  assert.equal(status, 201);
  await drainJobs(library.context);
  const id = body.data.items[0]?.job_id ?? '';
  const job = (await library.ask(getDownloadJob, { params: { id } })).body.data;
  assert.deepEqual([job.status, job.error], ['completed', null]);
});

test('finds ffmpeg by path or in PATH and rejects a program that is not executable', async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, 'program');
  assert.equal(await findFfmpeg({ ffmpegPath: path }), null);
  await writeFile(path, 'no program', { mode: 0o644 });
  assert.equal(await findFfmpeg({ ffmpegPath: 'surely-no-such-program' }), null);
  await installFakeFfmpeg(path, 'fails');
  assert.equal(await findFfmpeg({ ffmpegPath: path }), path);
});

test('passes no file name to ffmpeg as an option or address and never lets a file select its demuxer', () => {
  const args = ffmpegArguments('m4a', '/a/-i http://x', '/b/decoded.flac', 3601);
  assert.equal(args[args.indexOf('-i') + 1], 'file:/a/-i http://x');
  assert.equal(args.at(-1), 'file:/b/decoded.flac');
  assert.ok(args.indexOf('-f') < args.indexOf('-i'));
  assert.equal(args[args.indexOf('-protocol_whitelist') + 1], 'file');
});
