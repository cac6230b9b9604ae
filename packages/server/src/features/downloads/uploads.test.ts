import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { getDownloadJob, uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { listTracks } from '@stem-studio/contract/endpoints/tracks';
import { sql } from 'kysely';
import { eventually } from '../../testing/eventually.ts';
import {
  answerOf,
  type FormPart,
  type LibraryApp,
  multipart,
  openLibrary,
} from '../../testing/library-steps.ts';
import { testM4a, testMp3, testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';

async function send(library: LibraryApp, parts: readonly FormPart[]) {
  const form = multipart(parts);
  const headers = { ...library.user.headers, ...form.headers };
  const reply = await library.app.inject({
    method: 'POST',
    url: uploadFile.path,
    headers,
    payload: form.payload,
  });
  return answerOf(uploadFile, reply);
}

async function assertNothingRemains(library: LibraryApp): Promise<void> {
  assert.deepEqual(await library.storedFiles(), []);
  assert.deepEqual(await library.context.files.listFolders('downloads'), []);
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 0);
}

/** Returns a WAV header with these values, followed by a second of silence. */
function wavHeader(sampleRate: number, channels: number): Uint8Array {
  const bytes = Buffer.alloc(44 + 88_200);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * channels * 2, 28);
  bytes.writeUInt16LE((channels * 2) & 0xffff, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(88_200, 40);
  return bytes;
}

test('rejects a file that is not readable audio with the rule and the detected content, and stores nothing', async (t) => {
  const library = await openLibrary(t);
  const refused: readonly [string, Uint8Array, RegExp][] = [
    [
      'notes.mp3',
      Buffer.from('just some text, and no music at all\n'.repeat(100)),
      /must be WAV, AIFF, MP3, FLAC, Ogg or Opus/,
    ],
    ['zero-rate.wav', wavHeader(0, 2), /got 0/],
    ['choir.wav', wavHeader(44_100, 300), /got 300/],
    ['song.m4a', testM4a(), /M4A files must be decoded by ffmpeg \(this machine has none\)/],
    ['song.mp3', testM4a(), /M4A files must be decoded by ffmpeg \(this machine has none\)/],
    ['head-only.wav', (await testWav()).subarray(0, 44), /must have a data chunk/],
  ];
  for (const [name, bytes, reason] of refused) {
    const { status, error } = await library.upload(bytes, name);
    assert.equal(status, 422, name);
    assert.equal(error.code, 'AUDIO_NOT_ACCEPTED', name);
    assert.match(error.error, reason, name);
    assert.match(error.details?.['file']?.[0] ?? '', reason, name);
  }
  await assertNothingRemains(library);
});

test('requires one non-empty part named file', async (t) => {
  const library = await openLibrary(t);
  const song = await testWav();
  const empty = await library.upload(new Uint8Array(0));
  assert.equal(empty.status, 422);
  assert.deepEqual(empty.error.details, { file: ['must not be empty'] });

  const wrongName = await send(library, [{ name: 'audio', fileName: 'song.wav', bytes: song }]);
  assert.equal(wrongName.status, 422);
  assert.deepEqual(wrongName.error.details, { audio: ['is not a known field'], file: ['is required'] });

  const noFile = await send(library, [{ name: 'file', bytes: Buffer.from('text') }]);
  assert.equal(noFile.status, 422);
  assert.deepEqual(noFile.error.details, { file: ['is required'] });

  const noPart = await send(library, []);
  assert.equal(noPart.status, 422);
  assert.equal(noPart.error.code, 'VALIDATION_ERROR');

  const json = await library.ask(uploadFile, { body: { file: 'song.wav' } });
  assert.equal(json.status, 422);
  assert.deepEqual(json.error.details, { file: ['must be sent as multipart/form-data'] });
  await assertNothingRemains(library);
});

test('rejects a file above MAX_UPLOAD_MB with 413 and the rule, with or without an announced length', async (t) => {
  const library = await openLibrary(t, { config: { maxUploadMb: 1 } });
  const announced = await library.upload(new Uint8Array(1_200_000));
  assert.equal(announced.status, 413);
  assert.match(announced.error.error, /must not be larger than 1 MB/);

  const address = await library.service.listen(0, '127.0.0.1');
  const form = multipart([{ name: 'file', fileName: 'song.wav', bytes: new Uint8Array(1_200_000) }]);
  const reply = await fetch(`${address}${uploadFile.path}`, {
    method: 'POST',
    headers: { ...library.user.headers, ...form.headers },
    body: new Blob([form.payload]).stream(),
    duplex: 'half',
  });
  assert.equal(reply.status, 413);
  assert.match(((await reply.json()) as { error: string }).error, /must not be larger than 1 MB/);
  await assertNothingRemains(library);
});

test('stores nothing of an upload whose client disconnects', async (t) => {
  const library = await openLibrary(t);
  const address = new URL(await library.service.listen(0, '127.0.0.1'));
  const form = multipart([{ name: 'file', fileName: 'song.wav', bytes: await testWav({ seconds: 4 }) }]);
  const sending = request({
    host: address.hostname,
    port: address.port,
    method: 'POST',
    path: uploadFile.path,
    headers: { ...library.user.headers, ...form.headers, 'content-length': form.payload.length },
  });
  sending.on('error', () => undefined);
  sending.write(form.payload.subarray(0, 300_000));
  await eventually(library.storedFiles, (files) => files.length > 0);
  sending.destroy();
  await eventually(library.storedFiles, (files) => files.length === 0);
  await assertNothingRemains(library);
});

test('accepts the readable part of a truncated file with a warning', async (t) => {
  const library = await openLibrary(t);
  const whole = await testMp3({ seconds: 2 });
  const track = await library.addTrack(whole.subarray(0, Math.floor(whole.length / 2)), 'half.mp3');
  assert.ok(track.duration_ms > 800 && track.duration_ms < 1200, `${track.duration_ms} ms`);
  assert.ok((track.audio?.warnings.length ?? 0) > 0);
});

test('fails the job of audio longer than MAX_DURATION_SECONDS with the reason and stores nothing', async (t) => {
  const library = await openLibrary(t, { config: { maxDurationSeconds: 1 } });
  const accepted = await library.upload(await testMp3({ seconds: 1.5 }), 'long.mp3');
  await drainJobs(library.context);
  const job = (await library.ask(getDownloadJob, { params: { id: accepted.body.data.job_id } })).body.data;
  assert.equal(job.status, 'failed');
  assert.match(job.error ?? '', /must last at most 1 s/);
  assert.deepEqual([job.output_path, job.file_size], [null, null]);
  assert.deepEqual(await library.storedFiles(), []);

  const again = await library.ask(retryJob, { params: { id: job.id } });
  await drainJobs(library.context);
  const retried = (await library.ask(getDownloadJob, { params: { id: again.body.data.id } })).body.data;
  assert.equal(retried.status, 'failed');
  assert.match(retried.error ?? '', /uploaded file was not kept/);
  assert.doesNotMatch(retried.error ?? '', /ENOENT|\/tmp/);
});

test('returns the existing track for identical bytes, prepared or still in preparation', async (t) => {
  const library = await openLibrary(t);
  const bytes = await testWav();
  const first = await library.upload(bytes, 'one.wav');
  const meanwhile = await library.upload(bytes, 'two.wav');
  assert.deepEqual([first.status, meanwhile.status], [201, 200]);
  assert.deepEqual(meanwhile.body.data, first.body.data);
  await drainJobs(library.context);
  const after = await library.upload(bytes, 'three.wav');
  assert.equal(after.status, 200);
  assert.deepEqual(after.body.data, { ...first.body.data, status: 'completed' });
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 1);
  assert.equal((await library.storedFiles()).length, 3);
});

test('starts a new attempt at the same track for identical bytes after a failed preparation', async (t) => {
  const library = await openLibrary(t);
  const bytes = await testWav();
  const first = (await library.upload(bytes)).body.data;
  await library.ask(cancelJob, { params: { id: first.job_id } });
  const second = await library.upload(bytes);
  assert.equal(second.status, 201);
  assert.equal(second.body.data.track_id, first.track_id);
  assert.notEqual(second.body.data.job_id, first.job_id);
  await drainJobs(library.context);
  const { data } = (await library.ask(listTracks)).body;
  assert.deepEqual(
    data.map((track) => track.download?.status),
    ['completed'],
  );
});

test('keeps the audio of a later attempt when an older failed one is retried', async (t) => {
  const library = await openLibrary(t);
  const first = (await library.upload(await testWav())).body.data;
  await library.ask(cancelJob, { params: { id: first.job_id } });
  await library.ask(retryJob, { params: { id: first.job_id } });
  await drainJobs(library.context);
  const stored = await library.storedFiles();
  assert.equal(stored.length, 3);
  const again = await library.ask(retryJob, { params: { id: first.job_id } });
  assert.equal(again.status, 201);
  await drainJobs(library.context);
  assert.deepEqual(await library.storedFiles(), stored);
});

test('keeps the bytes of an upload whose commit is interrupted because they may belong to a job', async (t) => {
  const library = await openLibrary(t);
  const { db, files } = library.context;
  await sql`create function cut_off() returns trigger language plpgsql as
    'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`.execute(db);
  await sql`create constraint trigger cut_off after insert on tracks deferrable initially deferred
    for each row execute function cut_off()`.execute(db);
  assert.equal((await library.upload(await testWav({ seconds: 0.2 }))).status, 503);
  assert.equal((await files.listFolders('downloads')).length, 1);
});
