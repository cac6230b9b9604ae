import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { exportMidi } from '@stem-studio/contract/endpoints/exports';
import { cancelJob, listJobs, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteNotes, getNotesJob, listNotes, transcribe } from '@stem-studio/contract/endpoints/notes';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { knownNotes } from '@stem-studio/dsp/testing/known-notes';
import { parseMidi } from 'midi-file';
import { newId } from '../../platform/ids.ts';
import { type LibraryApp, listenTo, openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

/** Pitches of a melody with a note every half second from 0.25 s on. */
const melody = [60, 62, 64, 65, 67];

function melodyWav(): Promise<Uint8Array> {
  const notes = melody.map((pitch, at) => ({
    pitch,
    startSeconds: 0.25 + at / 2,
    endSeconds: 0.65 + at / 2,
  }));
  const encoder = createWavEncoder({ sampleRate: 44_100, channels: 1, bitDepth: '16' });
  return encodeFile(encoder, [knownNotes(notes, 3, 44_100)]);
}

async function transcribed(library: LibraryApp, body: object) {
  const accepted = await library.ask(transcribe, { body });
  assert.deepEqual([accepted.status, accepted.body.data.status], [201, 'queued']);
  await drainJobs(library.context);
  const { job_id: id } = accepted.body.data;
  return (await library.ask(getNotesJob, { params: { id } })).body.data;
}

async function notesOf(library: LibraryApp, id: string, query = {}) {
  return (await library.ask(listNotes, { params: { id }, query })).body.data;
}

test('the transcription of a track has the played notes with times, pitches and velocities', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await melodyWav());
  assert.deepEqual(await notesOf(library, track_id), []);
  const job = await transcribed(library, { track_id });
  assert.deepEqual([job.status, job.progress, job.error, job.source], ['completed', 100, null, 'mix']);
  assert.deepEqual(
    [job.onset_threshold, job.frame_threshold, job.minimum_note_ms, job.monophonic],
    [0.5, 0.3, 128, false],
  );
  const [found, ...others] = await notesOf(library, track_id);
  assert.deepEqual(others, []);
  assert.ok(found);
  const { notes, ...head } = found;
  assert.deepEqual(job.result, head);
  assert.equal(head.note_count, melody.length);
  assert.deepEqual(
    notes.map(({ pitch }) => pitch),
    melody,
  );
  notes.forEach(({ start_ms, end_ms, velocity, bends_cents }, at) => {
    assert.ok(Math.abs(start_ms - 250 - at * 500) < 50, String(start_ms));
    assert.ok(Math.abs(end_ms - 650 - at * 500) < 150, String(end_ms));
    assert.ok(velocity >= 1 && velocity <= 127);
    assert.equal(bends_cents, undefined);
  });
  const [bent] = await notesOf(library, track_id, { bends: 'true', source: 'mix' });
  assert.ok(bent?.notes.every(({ bends_cents }) => (bends_cents?.length ?? 0) > 0));
  assert.deepEqual(await notesOf(library, track_id, { source: 'vocals' }), []);
});

test('the notes of a stem are stored beside those of the song, and new ones replace old ones', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await melodyWav());
  const separation = await library.ask(separate, { body: { track_id } });
  await drainJobs(library.context);
  const { stems } = (await library.ask(getProcessingJob, { params: { id: separation.body.data.job_id } }))
    .body.data;
  const idOf = (type: string) => stems.find(({ stem_type }) => stem_type === type)?.id ?? '';
  await transcribed(library, { track_id });
  const bass = await transcribed(library, { track_id, stem_id: idOf('bass') });
  assert.deepEqual([bass.source, bass.stem_id, bass.monophonic], ['bass', idOf('bass'), true]);
  const again = await transcribed(library, { track_id, monophonic: true, minimum_note_ms: 60 });
  const shown = await notesOf(library, track_id);
  assert.deepEqual(
    shown.map(({ source, job_id, monophonic }) => [source, job_id, monophonic]),
    [
      ['mix', again.id, true],
      ['bass', bass.id, true],
    ],
  );

  const refused = await library.ask(transcribe, { body: { track_id, stem_id: idOf('drums') } });
  assert.deepEqual([refused.status, refused.error.code], [422, 'STEM_WITHOUT_PITCH']);
  assert.match(refused.error.error, /drums have no pitch/);
  const other = await library.addTrack(await testWav({ seconds: 0.2 }), 'other.wav');
  const strange = await library.ask(transcribe, { body: { track_id: other.id, stem_id: idOf('bass') } });
  assert.equal(strange.status, 404);
});

test('a MIDI file has the notes in the bars of the analysis, and a safe name', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await melodyWav(), 'A "melody": of/mine.wav');
  await library.ask(analyze, { body: { track_id } });
  await transcribed(library, { track_id, monophonic: true });
  const [found] = await notesOf(library, track_id);
  const get = (query: Record<string, string> = {}) =>
    library.app.inject({
      url: pathOf(exportMidi, { id: found?.id ?? '' }),
      query,
      headers: library.user.headers,
    });
  const reply = await get();
  assert.deepEqual([reply.statusCode, reply.headers['content-type']], [200, 'audio/midi']);
  assert.match(
    String(reply.headers['content-disposition']),
    /^attachment; filename="[^"\\/:]+ \(notes\)\.mid"/,
  );
  const { header, tracks } = parseMidi(reply.rawPayload);
  assert.deepEqual([header.format, header.ticksPerBeat, tracks.length], [1, 480, 2]);
  const pitches = tracks[1]?.flatMap((event) => (event.type === 'noteOn' ? [event.noteNumber] : []));
  assert.deepEqual(pitches, melody);
  assert.ok(tracks[0]?.some(({ type }) => type === 'setTempo'));
  assert.ok(tracks[1]?.some(({ type }) => type === 'pitchBend'));

  const quantized = parseMidi((await get({ quantize: '16' })).rawPayload);
  let tick = 0;
  for (const event of quantized.tracks[1] ?? []) {
    tick += event.deltaTime;
    if (event.type === 'noteOn') assert.equal(tick % 120, 0);
  }
  assert.equal((await get({ quantize: '7' })).statusCode, 422);
});

test('a waiting transcription is not requested twice, a different one is', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const ask = (body: object) => library.ask(transcribe, { body: { track_id, ...body } });
  const first = await ask({});
  const again = await ask({ onset_threshold: 0.5, monophonic: false });
  const another = await ask({ onset_threshold: 0.4 });
  assert.deepEqual([first.status, again.status, another.status], [201, 200, 201]);
  assert.equal(again.body.data.job_id, first.body.data.job_id);
  assert.notEqual(another.body.data.job_id, first.body.data.job_id);
});

test('an invalid request is 422 with the rule, and a missing subject is 404', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const bare = await insertTestTrack(library.context, library.user.id);
  const refused: readonly [object, string, string[]][] = [
    [{ track_id, onset_threshold: 1 }, 'VALIDATION_ERROR', ['onset_threshold']],
    [{ track_id, frame_threshold: 0 }, 'VALIDATION_ERROR', ['frame_threshold']],
    [{ track_id, minimum_note_ms: 5 }, 'VALIDATION_ERROR', ['minimum_note_ms']],
    [{ track_id, stem_id: 'drums' }, 'VALIDATION_ERROR', ['stem_id']],
    [{ track_id, loudness: 1 }, 'VALIDATION_ERROR', ['loudness']],
    [{ track_id: bare }, 'TRACK_NOT_DOWNLOADED', []],
  ];
  for (const [body, code, fields] of refused) {
    const { status, error } = await library.ask(transcribe, { body });
    assert.deepEqual([status, error.code, Object.keys(error.details ?? {})], [422, code, fields]);
  }
  assert.equal((await library.ask(transcribe, { body: { track_id, stem_id: newId() } })).status, 404);
  const stranger = await library.registerUser();
  assert.equal((await library.ask(transcribe, { body: { track_id } }, stranger)).status, 404);
  assert.equal((await library.ask(listNotes, { params: { id: track_id } }, stranger)).status, 404);
});

test('deleting notes notifies pages as new notes do', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await melodyWav());
  const received = listenTo(library.context, `library:${library.user.id}`);
  const updates = () => received.filter(({ event }) => event === 'notes_updated');
  await transcribed(library, { track_id });
  const [found] = await notesOf(library, track_id);
  const params = { id: found?.id ?? '' };
  const stranger = await library.registerUser();
  assert.equal((await library.ask(deleteNotes, { params }, stranger)).status, 404);
  assert.equal((await library.ask(deleteNotes, { params })).status, 204);
  assert.equal((await library.ask(deleteNotes, { params })).status, 404);
  assert.deepEqual(await notesOf(library, track_id), []);
  while (updates().length < 2) await new Promise((resolve) => setImmediate(resolve));
  for (const { payload } of updates()) assert.deepEqual(payload, { track_id });
});

test('a transcription job is cancelled before it starts, and restarted on request', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await melodyWav());
  const { job_id: id } = (await library.ask(transcribe, { body: { track_id } })).body.data;
  assert.equal((await library.ask(cancelJob, { params: { id } })).status, 204);
  await drainJobs(library.context);
  const cancelled = (await library.ask(getNotesJob, { params: { id } })).body.data;
  assert.deepEqual([cancelled.status, cancelled.error, cancelled.result], ['failed', 'cancelled', null]);
  assert.equal((await library.ask(retryJob, { params: { id } })).status, 201);
  await drainJobs(library.context);
  assert.equal((await notesOf(library, track_id))[0]?.note_count, melody.length);
  const jobs = (await library.ask(listJobs, { query: { type: 'notes' } })).body.data;
  assert.ok(jobs.some(({ status, progress }) => status === 'completed' && progress === 100));
});

test('silence has no notes', async (t) => {
  const library = await openLibrary(t);
  const head = Buffer.from((await testWav({ seconds: 3 })).subarray(0, 80));
  const { id: track_id } = await library.addTrack(
    Buffer.concat([head, Buffer.alloc(529_200)]),
    'silence.wav',
  );
  const job = await transcribed(library, { track_id });
  assert.deepEqual([job.status, job.result?.note_count], ['completed', 0]);
});

test('transcribing a stem with a missing file fails with a message', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const separation = await library.ask(separate, { body: { track_id } });
  await drainJobs(library.context);
  const { stems } = (await library.ask(getProcessingJob, { params: { id: separation.body.data.job_id } }))
    .body.data;
  const stem = stems.find(({ stem_type }) => stem_type === 'bass');
  const path = library.context.files.absolute(stem?.file_path ?? '');
  await rm(path);
  assert.ok(!(await readdir(dirname(path))).includes('bass.wav'));
  const job = await transcribed(library, { track_id, stem_id: stem?.id });
  assert.equal(job.status, 'failed');
  assert.ok((job.error ?? '').length > 10 && !(job.error ?? '').includes(library.context.config.uploadsDir));
});
