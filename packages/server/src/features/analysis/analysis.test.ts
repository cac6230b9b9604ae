import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze, getAnalysis, getAnalysisJob } from '@stem-studio/contract/endpoints/analysis';
import { regenerateCues } from '@stem-studio/contract/endpoints/cues';
import { exportAnalysis } from '@stem-studio/contract/endpoints/exports';
import { getTrack, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { sql } from 'kysely';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { testPulse, testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

async function analysed(library: LibraryApp, track_id: string, features?: readonly string[]) {
  const accepted = await library.ask(analyze, { body: { track_id, ...(features && { features }) } });
  assert.deepEqual([accepted.status, accepted.body.data.status], [201, 'queued']);
  await drainJobs(library.context);
  const { job_id: id } = accepted.body.data;
  return (await library.ask(getAnalysisJob, { params: { id } })).body.data;
}

test('one pass detects all features, and the track receives tempo and key', async (t) => {
  const library = await openLibrary(t);
  // A beat every half second under an A minor chord.
  const track = await library.addTrack(
    await testPulse({ seconds: 12, bpm: 120, chordHz: [220, 261.63, 329.63] }),
  );
  const job = await analysed(library, track.id);
  assert.deepEqual([job.status, job.progress, job.error, job.features], ['completed', 100, null, ['all']]);
  const found = job.result;
  assert.ok(found);
  assert.ok(Math.abs((found.tempo ?? 0) - 120) < 1, `tempo ${found.tempo}`);
  assert.equal(found.key, 'A minor');
  assert.equal(found.camelot, '8A');
  assert.equal(found.duration_seconds, 12);
  assert.equal(found.features?.mfcc?.length, 13);
  assert.equal(found.features?.chroma?.length, 12);
  assert.equal(found.features.spectral_contrast?.length, 7);
  const { spectral_centroid, spectral_rolloff, spectral_bandwidth, zero_crossing_rate } = found.features;
  const columns = found.features.chroma[0]?.length;
  for (const curve of [spectral_centroid, spectral_rolloff, spectral_bandwidth, zero_crossing_rate])
    assert.equal(curve?.length, columns);
  assert.ok((found.beats?.length ?? 0) >= 20);
  assert.equal(found.beats?.length, found.beat_frames?.length);
  for (const name of [
    'spectral_centroid',
    'spectral_rolloff',
    'spectral_bandwidth',
    'zero_crossing_rate',
  ] as const)
    assert.ok((found[name] ?? 0) > 0, name);
  assert.equal(found.spectral_contrast?.length, 7);

  const shown = (await library.ask(getTrack, { params: { id: track.id } })).body.data;
  assert.deepEqual([shown.key, shown.camelot, shown.analysis?.status], ['A minor', '8A', 'completed']);
  assert.ok(Math.abs((shown.bpm ?? 0) - 120) < 1);
  assert.equal(shown.bpm, Math.round((shown.bpm ?? 0) * 100) / 100, 'a tempo has two decimals');
  const grid = { grid_source: 'detected', grid_locked: false, grid_version: 0 };
  assert.deepEqual((await library.ask(getAnalysis, { params: { track_id: track.id } })).body.data, {
    ...found,
    ...grid,
  });
});

test('only the requested features are detected, and the stored analysis serves the newest value of each', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 2 }));
  const { result: keys } = await analysed(library, track_id, ['key']);
  const { result } = await analysed(library, track_id, ['mfcc']);
  assert.equal(result?.features?.mfcc?.length, 13);
  for (const name of ['tempo', 'key', 'energy', 'spectral_centroid'] as const)
    assert.equal(result?.[name], undefined, name);
  assert.equal(result?.features?.chroma, undefined);
  assert.deepEqual((await library.ask(getAnalysis, { params: { track_id } })).body.data, {
    ...keys,
    ...result,
  });
});

test('an analysis of some features does not hide the full one in the API, the export and the cue points', async (t) => {
  const library = await openLibrary(t);
  const song = await testPulse({ seconds: 12, bpm: 120, chordHz: [220, 261.63, 329.63] });
  const { id: track_id } = await library.addTrack(song);
  await analysed(library, track_id);
  const shown = async () => (await library.ask(getAnalysis, { params: { track_id } })).body.data;
  const full = await shown();
  await library.context.db
    .updateTable('analyses')
    .set({ result: sql`jsonb_set(result, '{energy}', '0.001')` })
    .execute();
  assert.equal((await shown()).energy, 0.001);
  const { result } = await analysed(library, track_id, ['energy']);
  assert.notEqual(result?.energy, 0.001);
  await analysed(library, track_id, ['chroma']);
  assert.deepEqual(await shown(), full);
  const exported = (await library.ask(exportAnalysis, { params: { track_id } })).body;
  assert.deepEqual(exported.analysis.features?.mfcc, full.features?.mfcc);
  assert.equal(exported.analysis.tempo, full.tempo);
  assert.equal((await library.ask(regenerateCues, { params: { id: track_id } })).status, 201);
});

test('an analysis of replaced audio is not merged with one of the new audio', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 2 }));
  await analysed(library, track_id);
  const other = await library.addTrack(await testWav({ seconds: 3 }), 'other.wav');
  const { db } = library.context;
  const { audio_source_id } = await db
    .selectFrom('tracks')
    .select('audio_source_id')
    .where('id', '=', other.id)
    .executeTakeFirstOrThrow();
  await db.updateTable('tracks').set({ audio_source_id }).where('id', '=', track_id).execute();
  const { result } = await analysed(library, track_id, ['key']);
  assert.deepEqual((await library.ask(getAnalysis, { params: { track_id } })).body.data, result);
});

test('a waiting analysis is not requested twice', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const first = await library.ask(analyze, { body: { track_id, features: ['key', 'tempo'] } });
  const again = await library.ask(analyze, { body: { track_id, features: ['tempo', 'key'] } });
  const another = await library.ask(analyze, { body: { track_id } });
  assert.deepEqual([first.status, again.status, another.status], [201, 200, 201]);
  assert.equal(again.body.data.job_id, first.body.data.job_id);
  assert.notEqual(another.body.data.job_id, first.body.data.job_id);
});

test('an invalid analysis is 422 with the rule, and a missing track is 404', async (t) => {
  const library = await openLibrary(t);
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  const bare = await insertTestTrack(library.context, library.user.id);
  const refused: readonly [object, string, string[]][] = [
    [{ track_id, features: [] }, 'VALIDATION_ERROR', ['features']],
    [{ track_id, features: ['mood'] }, 'VALIDATION_ERROR', ['features.0']],
    [{ track_id, depth: 1 }, 'VALIDATION_ERROR', ['depth']],
    [{ track_id: bare }, 'TRACK_NOT_DOWNLOADED', []],
  ];
  for (const [body, code, fields] of refused) {
    const { status, error } = await library.ask(analyze, { body });
    assert.deepEqual([status, error.code, Object.keys(error.details ?? {})], [422, code, fields]);
  }
  assert.equal((await library.ask(getAnalysis, { params: { track_id } })).status, 404);
  const stranger = await library.registerUser();
  assert.equal((await library.ask(analyze, { body: { track_id } }, stranger)).status, 404);
  assert.equal((await library.ask(getAnalysis, { params: { track_id } }, stranger)).status, 404);
});

test('an import is followed by an analysis that keeps values set by the user', async (t) => {
  const library = await openLibrary(t, { config: { autoAnalyze: true } });
  const { track_id: id } = (await library.upload(await testWav({ seconds: 2 }))).body.data;
  await library.ask(updateTrack, { params: { id }, body: { bpm: 77, key: 'F# major' } });
  await drainJobs(library.context);
  const { bpm, key, analysis } = (await library.ask(getTrack, { params: { id } })).body.data;
  assert.deepEqual([bpm, key, analysis?.status, analysis?.error], [77, 'F# major', 'completed', null]);
});

test('silence has neither tempo nor key', async (t) => {
  const library = await openLibrary(t);
  const silence = Buffer.concat([
    Buffer.from((await testWav({ seconds: 3 })).subarray(0, 80)),
    Buffer.alloc(529_200),
  ]);
  const track = await library.addTrack(silence, 'silence.wav');
  const { result, status } = await analysed(library, track.id);
  assert.deepEqual([status, result?.tempo, result?.key, result?.camelot], ['completed', 0, '', '']);
  const { bpm, key } = (await library.ask(getTrack, { params: { id: track.id } })).body.data;
  assert.deepEqual([bpm, key], [null, '']);
});
