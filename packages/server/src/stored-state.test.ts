import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeckRecord } from '@stem-studio/contract/decks/take-deck-message';
import { cancelJob, listJobs, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { getProcessingJob, separate } from '@stem-studio/contract/endpoints/processing';
import { getTrack, listTracks } from '@stem-studio/contract/endpoints/tracks';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import { sql } from 'kysely';
import { findAnalysisOfJob, findDetectedRhythm } from './features/analysis/analysis.store.ts';
import { storedAnalysisArgs } from './features/analysis/analysis-args.ts';
import { storedAnalysis } from './features/analysis/stored-analysis.ts';
import { storedGridRule } from './features/analysis/stored-grid-rule.ts';
import { storedEntries } from './features/catalog/stored-entries.ts';
import { storedAcceptTimes, storedDeckState, storedTaken } from './features/decks/stored-deck-session.ts';
import { storedDownloadArgs } from './features/downloads/download-args.ts';
import { storedNotesArgs } from './features/notes/notes-args.ts';
import { storedNotes } from './features/notes/stored-notes.ts';
import { storedNetworkArgs } from './features/processing/catalogue/network-args.ts';
import { storedProcessingArgs } from './features/processing/processing-args.ts';
import { storedEdit, storedProjectState } from './features/projects/stored-project.ts';
import { storedTexts } from './platform/db/stored-texts.ts';
import { analyzeBeats } from './testing/analyzed-track.ts';
import { openLibrary } from './testing/library-steps.ts';
import { testWav } from './testing/test-audio.ts';
import { drainJobs, openTestContext } from './testing/test-context.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const deck = createDeckRecord();

/**
 * Every JSON column with a sample of version 1. A change of the stored form adds an entry for its version and keeps
 * the earlier ones.
 */
const columns = {
  'analyses.result': [
    [
      storedAnalysis,
      {
        duration_seconds: 12.5,
        tempo: 120,
        tempo_confidence: 0.9,
        tempo_stable: true,
        tempo_curve: [],
        time_signature: '4/4',
        beat_frames: [21, 43],
        beats: [0.5, 1],
        downbeats: [0.5],
        sections: [{ start: 0, end: 12.5, label: 'intro' }],
        key: 'A minor',
        keys: [{ start: 0, end: 12.5, key: 'A minor' }],
        chords: [{ start: 0, end: 12.5, label: 'Am' }],
        energy_curve: [0.5],
        vocal_curve: [0],
        spectral_contrast: [1, 2],
        features: { mfcc: [[1]], frame_seconds: 0.1 },
      },
    ],
  ],
  'audio_sources.warnings': [[storedTexts, ['the file ends early']]],
  'beat_grid_steps.grid': [
    [storedGridRule, { kind: 'even', bpm: 120, oneSeconds: 0.5, timeSignature: '4/4' }],
    [storedGridRule, { kind: 'following', one: 0, step: 1, offsetSeconds: 0.01, timeSignature: '3/4' }],
  ],
  'catalog_playlists.entries': [
    [
      storedEntries,
      [
        { path: 'a/b.wav', title: 'B' },
        { path: null, title: 'C' },
      ],
    ],
  ],
  'cloud_results.warnings': [[storedTexts, []]],
  'deck_sessions.accept_times': [[storedAcceptTimes, deck.acceptTimes]],
  'deck_sessions.state': [[storedDeckState, deck.state]],
  'deck_sessions.taken': [[storedTaken, [['window-1', 3]]]],
  'jobs.args': [
    [storedDownloadArgs, { source: { kind: 'catalog', catalog_id: 'x' }, quality: 'high' }],
    [storedDownloadArgs, { source: { kind: 'search', catalog_id: 'x', candidate_id: 'y' }, quality: 'high' }],
    [
      storedDownloadArgs,
      { source: { kind: 'upload', source_id: uuid, sha256: 'ab', file_name: 'a.wav' }, quality: 'high' },
    ],
    [storedProcessingArgs, { model: 'hybrid_4', engine: 'cloud', preview: true, stem_types: ['vocals'] }],
    [storedAnalysisArgs, { features: ['tempo', 'key'] }],
    [
      storedNotesArgs,
      {
        onset_threshold: 0.5,
        frame_threshold: 0.3,
        minimum_note_ms: 128,
        monophonic: true,
        source: 'bass',
        stem_id: uuid,
      },
    ],
    [storedNetworkArgs, { name: 'spleeter_4stems', model: 'alt_4', is_licence_accepted: true }],
  ],
  'edit_operations.edit': [
    [storedEdit, { operation: 'cut', params: { start_ms: 0, end_ms: 500, stem_type: 'vocals' } }],
    [storedEdit, { operation: 'marker', params: { start_ms: 10, label: 'Chorus' } }],
  ],
  'project_snapshots.state': [
    [storedProjectState, createProjectState([{ stem_type: 'vocals', duration_ms: 1000 }])],
  ],
  'transcriptions.notes': [
    [storedNotes, [{ start_ms: 0, end_ms: 500, pitch: 60, velocity: 90, bends_cents: [0, 3] }]],
  ],
} as const;

/** Columns that are not parsed by field, because they are shown or copied whole. */
const wholeColumns = ['audit_log.details'];

test('every JSON column is read by a definition of its versions', async (t) => {
  const { db } = await openTestContext(t);
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and data_type in ('json', 'jsonb') order by 1`.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name).toSorted(),
    [...Object.keys(columns), ...wholeColumns].toSorted(),
  );
});

test('content of version 1 is read as stored and tolerates a field of a later version', () => {
  for (const [name, fixtures] of Object.entries(columns)) {
    for (const [definition, content] of fixtures) {
      const expected = { kind: 'readable', value: content, replaced: [] };
      assert.deepEqual(definition.parse(content), expected, name);
      const isList = Array.isArray(content);
      const marks = { schema_version: 99, ...(!isList && { of_a_later_version: 1 }) };
      const later = Object.assign(marks, isList ? { value: content } : content);
      assert.deepEqual(definition.parse(later), expected, `${name} of a later version`);
    }
  }
});

test('jobs with unreadable arguments stay in lists and do not block the same work', async (t) => {
  const logLines: string[] = [];
  const library = await openLibrary(t, { logLines });
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const { job_id: id } = (await library.ask(separate, { body: { track_id } })).body.data;
  await sql`update jobs set args = '{"model": "a model of old"}' where id = ${id}`.execute(
    library.context.db,
  );
  assert.equal((await library.ask(listJobs)).body.meta.total_count, 2);
  const shown = await library.ask(getProcessingJob, { params: { id } });
  assert.deepEqual([shown.status, shown.body.data.status], [200, 'queued']);
  const again = await library.ask(separate, { body: { track_id } });
  assert.deepEqual([again.status, again.body.data.job_id !== id], [201, true]);
  await drainJobs(library.context);
  const states = (await library.ask(listJobs)).body.data.map((job) => [job.id === id, job.status]);
  assert.deepEqual(states, [
    [false, 'completed'],
    [true, 'failed'],
    [false, 'completed'],
  ]);
  assert.equal((await library.ask(cancelJob, { params: { id } })).status, 422);
  assert.equal((await library.ask(retryJob, { params: { id } })).status, 201);
  assert.ok(logLines.some((line) => line.includes('cannot be read') && line.includes(id)));
});

test('an analysis with an unreadable field keeps its other fields', async (t) => {
  const logLines: string[] = [];
  const library = await openLibrary(t, { logLines });
  const { id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const { context } = library;
  const jobId = await analyzeBeats(library, id, { bpm: 120 });
  const whole = await findAnalysisOfJob(context.db, jobId);
  await sql`update analyses set result = result || '{"tempo_stable": "perhaps", "of_a_later_version": 1}'`.execute(
    context.db,
  );
  const { tempo_stable: _lost, ...rest } = whole ?? {};
  assert.deepEqual(await findAnalysisOfJob(context.db, jobId), rest);
  const beats = await findDetectedRhythm(context.db, { track_id: id });
  assert.deepEqual([beats?.job_id, beats?.beats, beats?.tempo_stable], [jobId, whole?.beats, false]);
  assert.ok(logLines.some((line) => line.includes('cannot be read') && line.includes('tempo_stable')));
});

test('a list of tracks shows audio with unreadable warnings', async (t) => {
  const library = await openLibrary(t);
  const { id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  await sql`update audio_sources set warnings = '{"of": "old"}'`.execute(library.context.db);
  const [listed] = (await library.ask(listTracks)).body.data;
  assert.deepEqual(listed?.audio?.warnings, []);
  const shown = (await library.ask(getTrack, { params: { id } })).body.data;
  assert.deepEqual(shown.audio?.warnings, []);
});
