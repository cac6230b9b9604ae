import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze, getAnalysis, getAnalysisJob } from '@stem-studio/contract/endpoints/analysis';
import { editBeatGrid, getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { createCue, listCues, regenerateCues, updateCue } from '@stem-studio/contract/endpoints/cues';
import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import { openAnalyzed, openUnanalyzed } from '../../testing/analyzed-track.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { testPulse, testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';

/** Returns the rhythm of a grid without its history. */
function beatsIn({ beats, downbeats, tempo, time_signature }: Partial<BeatGrid>) {
  return { beats, downbeats, tempo, time_signature };
}

test('another analysis keeps edited beats, and the detected ones can be restored', async (t) => {
  const { library, id, analyze, gridNow, edit, trackNow } = await openAnalyzed(t);
  await edit({ edit: 'multiply', factor: '1/2' });
  const mine = await edit({ edit: 'shift_ms', ms: 40 });
  const jobId = await analyze({ bpm: 126 });
  assert.deepEqual(beatsIn(await gridNow()), beatsIn(mine));
  const shown = (await library.ask(getAnalysis, { params: { track_id: id } })).body.data;
  assert.deepEqual(beatsIn(shown), beatsIn(mine));
  assert.equal((await trackNow()).bpm, mine.tempo);
  const job = (await library.ask(getAnalysisJob, { params: { id: jobId } })).body.data;
  assert.deepEqual(
    [job.result?.tempo, job.result?.grid_source],
    [126, undefined],
    'the job reports what was detected',
  );
  const back = await edit({ edit: 'use_detected' });
  assert.deepEqual([back.grid_source, back.tempo, (await trackNow()).bpm], ['detected', 126, 126]);
  assert.deepEqual(beatsIn(await edit({ edit: 'undo' })), beatsIn(mine));
});

test('an edited grid of a drifting song keeps following the detected beats it was derived from', async (t) => {
  const { library, id, analyze, gridNow, edit } = await openAnalyzed(t);
  const detected = [0.5];
  for (let at = 0.5; at < 58; detected.push(at)) at += 0.5 + at / 1000;
  await library.context.db
    .updateTable('analyses')
    .set((eb) => ({
      result: eb.val(
        JSON.stringify({
          beats: detected,
          downbeats: detected.slice(0, 1),
          tempo: 117,
          time_signature: '4/4',
        }),
      ),
    }))
    .where('track_id', '=', id)
    .execute();
  const halved = await edit({ edit: 'multiply', factor: '1/2' });
  const second = detected[2] ?? 0;
  assert.ok(halved.beats.some((time) => Math.abs(time - second) < 2e-4));
  assert.ok(!halved.tempo_stable && halved.tempo_curve.length > 3);
  await analyze({ bpm: 90 });
  assert.deepEqual(beatsIn(await gridNow()), beatsIn(halved));
  const doubled = await edit({ edit: 'multiply', factor: '2' });
  for (const time of detected) assert.ok(doubled.beats.some((beat) => Math.abs(beat - time) < 2e-4));
  await library.context.db.deleteFrom('tracks').where('id', '=', id).execute();
  assert.deepEqual(await library.context.db.selectFrom('beat_grid_steps').selectAll().execute(), []);
});

test('a requested analysis reports whether the beats are kept, and one of the key alone keeps them', async (t) => {
  const library = await openLibrary(t);
  const { id } = await library.addTrack(await testPulse({ seconds: 12, bpm: 120, chordHz: [220, 261.63] }));
  const analyzeFor = async (features: readonly string[]) => {
    const { keeps_grid } = (await library.ask(analyze, { body: { track_id: id, features } })).body.data;
    await drainJobs(library.context);
    return keeps_grid;
  };
  assert.equal(await analyzeFor(['all']), false);
  const params = { id };
  const mine = (await library.ask(editBeatGrid, { params, body: { edit: 'multiply', factor: '2' } })).body
    .data;
  assert.equal(await analyzeFor(['all']), true);
  assert.deepEqual(beatsIn((await library.ask(getBeatGrid, { params })).body.data), beatsIn(mine));
  const { energy } = (await library.ask(getAnalysis, { params: { track_id: id } })).body.data;
  assert.ok(energy !== undefined);
  assert.equal(await analyzeFor(['key']), true);
  const keyOnly = (await library.ask(getAnalysis, { params: { track_id: id } })).body.data;
  assert.deepEqual([keyOnly.grid_source, keyOnly.beats, keyOnly.energy], ['manual', mine.beats, energy]);
});

test('a locked grid is changed by no edit, no tempo of the track and no analysis', async (t) => {
  for (const isManual of [true, false]) {
    const { library, id, analyze, gridNow, edit, trackNow } = await openAnalyzed(t);
    if (isManual) await edit({ edit: 'shift_ms', ms: 25 });
    const locked = await edit({ edit: 'lock' });
    assert.equal(locked.grid_locked, true);
    assert.equal((await edit({ edit: 'lock' })).grid_version, locked.grid_version);
    for (const body of [{ edit: 'multiply', factor: '2' }, { edit: 'use_detected' }, { edit: 'undo' }]) {
      const refused = await library.ask(editBeatGrid, { params: { id }, body });
      assert.deepEqual([refused.status, refused.error.code], [422, 'GRID_LOCKED']);
    }
    const tempo = await library.ask(updateTrack, { params: { id }, body: { bpm: 99, title: 'Other' } });
    assert.deepEqual([tempo.status, tempo.error.code], [422, 'GRID_LOCKED']);
    const { bpm, title } = await trackNow();
    assert.deepEqual([bpm, title], [locked.tempo, 'A track'], 'nothing of the refused change is left');
    await analyze({ bpm: 60 });
    assert.deepEqual(beatsIn(await gridNow()), beatsIn(locked));
    assert.equal((await trackNow()).bpm, locked.tempo);
    const open = await edit({ edit: 'unlock' });
    assert.equal(open.grid_locked, false);
    assert.equal(open.tempo, isManual ? locked.tempo : 60);
    assert.equal((await trackNow()).bpm, open.tempo);
  }
});

test("setting the track's tempo sets the grid, and clearing it restores the detected beats", async (t) => {
  const { library, id, gridNow } = await openAnalyzed(t);
  const detected = await gridNow();
  const updated = await library.ask(updateTrack, { params: { id }, body: { bpm: 60 } });
  await drainJobs(library.context);
  const grid = await gridNow();
  assert.deepEqual(
    [updated.body.data.bpm, grid.tempo, grid.grid_source, grid.undo],
    [60, 60, 'manual', 'track_tempo'],
  );
  assert.ok(grid.downbeats.some((time) => detected.downbeats.some((other) => Math.abs(time - other) < 2e-4)));
  const cleared = await library.ask(updateTrack, { params: { id }, body: { bpm: null } });
  assert.equal(cleared.body.data.bpm, detected.tempo);
  assert.deepEqual(beatsIn(await gridNow()), beatsIn(detected));
});

test('a tempo set before the analysis shapes the grid of the beats detected later', async (t) => {
  const { library, id, analyze, gridNow, trackNow } = await openUnanalyzed(t);
  await library.ask(updateTrack, { params: { id }, body: { bpm: 240 } });
  await analyze({ bpm: 120 });
  const grid = await gridNow();
  assert.deepEqual([grid.tempo, grid.grid_source, (await trackNow()).bpm], [240, 'manual', 240]);
  assert.equal(grid.detected.tempo, 120);
});

test('cue points on the beats follow them, edited ones too, and one between beats stays in position', async (t) => {
  const { library, id, edit } = await openAnalyzed(t);
  const cuesNow = async () => (await library.ask(listCues, { params: { id } })).body.data.cues;
  const before = await cuesNow();
  const named = before[3];
  assert.ok(named);
  await library.ask(updateCue, { params: { id: named.id }, body: { label: 'Mine' } });
  const position_ms = named.position_ms + 400;
  const between = (await library.ask(createCue, { params: { id }, body: { position_ms } })).body.data;
  const grid = await edit({ edit: 'shift_ms', ms: 60 });
  const after = await cuesNow();
  assert.ok(after.length >= 26);
  for (const cue of after) {
    if (cue.id === between.id) {
      assert.equal(cue.position_ms, position_ms);
      continue;
    }
    const beat = grid.beats[(cue.beat ?? 0) - 1] ?? 0;
    assert.ok(Math.abs(cue.position_ms - beat * 1000) <= 0.6, cue.label);
  }
  const kept = after.find((cue) => cue.id === named.id);
  assert.deepEqual([kept?.label, kept?.position_ms], ['Mine', named.position_ms + 60]);
  const ids = new Set(before.map((cue) => cue.id));
  assert.ok(after.filter((cue) => ids.has(cue.id)).length >= 20, 'they are the same ones');
});

test('with automatic cue points off, none are placed until requested', async (t) => {
  const { library, id, analyze, gridNow, edit } = await openUnanalyzed(t, { config: { autoAnalyze: false } });
  await analyze({ bpm: 120 });
  await edit({ edit: 'shift_ms', ms: 60 });
  const params = { id };
  assert.equal((await library.ask(listCues, { params })).body.data.placed_at, null);
  await library.ask(regenerateCues, { params });
  await drainJobs(library.context);
  const [first] = (await library.ask(listCues, { params })).body.data.cues;
  const grid = await gridNow();
  assert.equal(first?.position_ms, Math.round((grid.beats[(first?.beat ?? 0) - 1] ?? 0) * 1000));
});

test('an unanalysed track has no grid, and one without a pulse gets one by tempo or taps', async (t) => {
  const { library, id, analyze, gridNow, edit, trackNow } = await openUnanalyzed(t);
  const params = { id };
  for (const reply of [
    await library.ask(getBeatGrid, { params }),
    await library.ask(editBeatGrid, { params, body: { edit: 'lock' } }),
  ])
    assert.deepEqual([reply.status, reply.error.code], [422, 'TRACK_NOT_ANALYZED']);
  await analyze({ bpm: 0 });
  assert.deepEqual((await gridNow()).beats, []);
  const refused = await library.ask(editBeatGrid, { params, body: { edit: 'shift_beats', beats: 1 } });
  assert.deepEqual([refused.status, refused.error.code], [422, 'GRID_EMPTY']);
  const made = await edit({ edit: 'set_tempo', bpm: 120, at_seconds: 0.25 });
  assert.deepEqual(made.beats.slice(0, 3), [0.25, 0.75, 1.25]);
  assert.deepEqual([made.time_signature, made.detected.beats], ['4/4', 0]);
  assert.deepEqual((await edit({ edit: 'undo' })).beats, []);
  assert.equal((await trackNow()).bpm, null);
  const tapped = await edit({ edit: 'tap', taps: [0.5, 1, 1.5, 2] });
  assert.deepEqual([tapped.tempo, tapped.downbeats[0]], [120, 0.5]);
});

test('other audio has its own beats, the previous ones can be restored, and a lock keeps them', async (t) => {
  const { library, id, analyze, gridNow, edit, trackNow } = await openAnalyzed(t);
  const mine = await edit({ edit: 'shift_beats', beats: 0.5 });
  const other = await library.addTrack(await testWav());
  await edit({ edit: 'lock' });
  const { db } = library.context;
  const source = db.selectFrom('tracks').select('audio_source_id').where('id', '=', other.id);
  await db.updateTable('tracks').set({ audio_source_id: source }).where('id', '=', id).execute();
  await analyze({ bpm: 100 });
  assert.deepEqual(beatsIn(await gridNow()), beatsIn(mine));
  await db.updateTable('beat_grids').set({ is_locked: false }).execute();
  await analyze({ bpm: 101 });
  const detected = await gridNow();
  assert.deepEqual([detected.grid_source, detected.undo, detected.tempo], ['detected', 'other_sound', 101]);
  assert.equal((await trackNow()).bpm, 101);
  assert.deepEqual(beatsIn(await edit({ edit: 'undo' })), beatsIn(mine));
});
