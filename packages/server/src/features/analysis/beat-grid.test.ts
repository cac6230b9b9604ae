import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAnalysis } from '@stem-studio/contract/endpoints/analysis';
import { editBeatGrid, getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { exportAnalysis } from '@stem-studio/contract/endpoints/exports';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { gridBounds } from '@stem-studio/contract/limits';
import type { BeatGrid } from '@stem-studio/contract/resources/beat-grid';
import { analyzedSeconds, openAnalyzed } from '../../testing/analyzed-track.ts';
import { listenTo } from '../../testing/library-steps.ts';

/** Returns the rhythm of a grid without its history. */
function beatsIn({ beats, downbeats, tempo, time_signature }: Partial<BeatGrid>) {
  return { beats, downbeats, tempo, time_signature };
}

/** Asserts that the beats are those of an even grid, shifted by a number of seconds. */
function assertMoved(after: readonly number[], before: readonly number[], bySeconds: number): void {
  const period = (before[1] ?? 0) - (before[0] ?? 0);
  for (const time of after) {
    const beats = (time - (before[0] ?? 0) - bySeconds) / period;
    assert.ok(
      Math.abs(beats - Math.round(beats)) * period < 2e-4,
      `${time} is no beat moved by ${bySeconds}`,
    );
  }
}

test('the detected beats are the grid until it is edited', async (t) => {
  const { library, id, gridNow } = await openAnalyzed(t);
  const grid = await gridNow();
  const analysis = (await library.ask(getAnalysis, { params: { track_id: id } })).body.data;
  assert.deepEqual(beatsIn(grid), beatsIn(analysis));
  assert.deepEqual(
    [analysis.grid_source, analysis.grid_locked, analysis.grid_version],
    ['detected', false, 0],
  );
  assert.deepEqual([grid.undo, grid.redo, grid.edited_at], [null, null, null]);
  assert.deepEqual(grid.detected, {
    tempo: grid.tempo,
    time_signature: grid.time_signature,
    beats: grid.beats.length,
  });
});

test('doubling, halving and shifting the beats affects the track, the analysis and its export', async (t) => {
  const { library, id, gridNow, edit, trackNow } = await openAnalyzed(t);
  const detected = await gridNow();
  const doubled = await edit({ edit: 'multiply', factor: '2' });
  assert.deepEqual(
    [doubled.grid_source, doubled.tempo, doubled.undo],
    ['manual', detected.tempo * 2, 'multiply'],
  );
  assert.ok(doubled.beats.length >= 2 * detected.beats.length - 1);
  assert.equal((await trackNow()).bpm, detected.tempo * 2);
  const halved = await edit({ edit: 'multiply', factor: '1/2' });
  assert.equal(halved.tempo, detected.tempo);
  assertMoved(halved.beats, detected.beats, 0);
  assert.equal((await trackNow()).bpm, detected.tempo);

  const off = await edit({ edit: 'shift_beats', beats: 0.5 });
  assertMoved(off.beats, detected.beats, 30 / detected.tempo);
  const late = await edit({ edit: 'shift_ms', ms: 7 });
  assertMoved(late.beats, off.beats, 0.007);
  assert.ok(late.beats.every((time) => time >= 0 && time <= analyzedSeconds));
  assert.ok((late.beats.at(-1) ?? 0) > analyzedSeconds - 0.51, 'the grid goes on to the end');

  const shown = (await library.ask(getAnalysis, { params: { track_id: id } })).body.data;
  assert.deepEqual(beatsIn(shown), beatsIn(late));
  assert.deepEqual([shown.grid_source, shown.tempo_confidence, shown.tempo_stable], ['manual', 1, true]);
  assert.equal(shown.beat_frames?.length, shown.beats?.length);
  const exported = (await library.ask(exportAnalysis, { params: { track_id: id } })).body;
  assert.deepEqual(beatsIn(exported.analysis), beatsIn(late));
});

test('sets the downbeat, aligns a beat, and sets metre and tempo', async (t) => {
  const { gridNow, edit, trackNow } = await openAnalyzed(t);
  const detected = await gridNow();
  const second = detected.beats.find((time) => !detected.downbeats.includes(time)) ?? 0;
  const counted = await edit({ edit: 'set_downbeat', at_seconds: second + 0.1 });
  assert.ok(counted.downbeats.some((time) => Math.abs(time - second) < 2e-4));
  assertMoved(counted.beats, detected.beats, 0);
  const aligned = await edit({ edit: 'align', at_seconds: second + 0.1 });
  assert.ok(aligned.beats.some((time) => Math.abs(time - second - 0.1) < 2e-4));
  const waltz = await edit({ edit: 'set_time_signature', time_signature: '3/4' });
  assert.deepEqual([waltz.time_signature, waltz.beats], ['3/4', aligned.beats]);
  const bars = waltz.downbeats.map((time) => waltz.beats.indexOf(time));
  assert.ok(bars.every((beat, bar) => bar === 0 || beat - (bars[bar - 1] ?? 0) === 3));
  const pivot = waltz.beats[12] ?? 0;
  const faster = await edit({ edit: 'set_tempo', bpm: 128, at_seconds: pivot });
  assert.deepEqual([faster.tempo, (await trackNow()).bpm], [128, 128]);
  assert.ok(faster.beats.some((time) => Math.abs(time - pivot) < 2e-4));
});

test('taps off the beat shift the beats by half a period and keep the tempo', async (t) => {
  const { gridNow, edit } = await openAnalyzed(t);
  const detected = await gridNow();
  const period = 60 / detected.tempo;
  const first = (detected.beats[4] ?? 0) + period / 2;
  const taps = [-0.02, 0.01, -0.03, -0.01, -0.02, 0.005].map((off, index) => first + index * period + off);
  const tapped = await edit({ edit: 'tap', taps });
  assert.deepEqual([tapped.tempo, tapped.undo], [detected.tempo, 'tap']);
  assertMoved(tapped.beats, detected.beats, period / 2);
  assert.ok(tapped.downbeats.some((time) => Math.abs(time - first) < 2e-3));
});

test('every edit can be undone and redone, and a new one discards the undone ones', async (t) => {
  const { library, id, gridNow, edit, trackNow } = await openAnalyzed(t);
  const states = [await gridNow()];
  for (const body of [
    { edit: 'multiply', factor: '3/2' },
    { edit: 'shift_beats', beats: -1 },
    { edit: 'use_detected' },
  ])
    states.push(await edit(body));
  for (const state of states.toReversed().slice(1)) {
    const undone = await edit({ edit: 'undo' });
    assert.deepEqual(beatsIn(undone), beatsIn(state));
    assert.equal(undone.grid_source, state.grid_source);
    assert.equal((await trackNow()).bpm, state.tempo);
  }
  const nothing = await library.ask(editBeatGrid, { params: { id }, body: { edit: 'undo' } });
  assert.deepEqual([nothing.status, nothing.error.code], [422, 'GRID_NOTHING_TO_UNDO']);
  const redone = await edit({ edit: 'redo' });
  assert.deepEqual([beatsIn(redone), redone.redo], [beatsIn(states[1] ?? {}), 'shift_beats']);
  const other = await edit({ edit: 'shift_ms', ms: 1 });
  assert.deepEqual([other.undo, other.redo], ['shift_ms', null]);
  const forgotten = await library.ask(editBeatGrid, { params: { id }, body: { edit: 'redo' } });
  assert.deepEqual([forgotten.status, forgotten.error.code], [422, 'GRID_NOTHING_TO_REDO']);
});

test('the last hundred edits can be undone, and older ones are dropped', async (t) => {
  const { library, edit } = await openAnalyzed(t);
  const { db } = library.context;
  for (const ms of [1, 2, 3]) await edit({ edit: 'shift_ms', ms });
  // As if a hundred other edits had followed the first.
  const later = gridBounds.undoSteps - 1;
  await db
    .updateTable('beat_grid_steps')
    .set((eb) => ({ step_index: eb('step_index', '+', later) }))
    .where('step_index', '>', 1)
    .execute();
  await db
    .updateTable('beat_grids')
    .set((eb) => ({ step_index: eb('step_index', '+', later) }))
    .execute();
  await edit({ edit: 'shift_ms', ms: 4 });
  const rows = await db.selectFrom('beat_grid_steps').select('step_index').orderBy('step_index').execute();
  assert.deepEqual(
    rows.map(({ step_index }) => step_index - later),
    [2, 3, 4],
  );
  for (const left of ['shift_ms', null]) assert.equal((await edit({ edit: 'undo' })).undo, left);
});

test('an edit for an outdated version is rejected and changes nothing', async (t) => {
  const { library, id, gridNow, edit } = await openAnalyzed(t);
  const { grid_version: version } = await gridNow();
  await edit({ edit: 'shift_ms', ms: 5, version });
  const mine = await gridNow();
  const stale = await library.ask(editBeatGrid, {
    params: { id },
    body: { edit: 'multiply', factor: '2', version },
  });
  assert.deepEqual([stale.status, stale.error.code], [422, 'GRID_CHANGED']);
  assert.deepEqual(stale.error.details, { version: ['must be 1 (got 0)'] });
  assert.deepEqual(await gridNow(), mine);
  assert.equal((await edit({ edit: 'shift_ms', ms: 5 })).grid_version, 2, 'without one the last wins');
});

test('two simultaneous edits are both applied, one after the other', async (t) => {
  const { library, id, gridNow } = await openAnalyzed(t);
  const replies = await Promise.all(
    Array.from({ length: 6 }, () =>
      library.ask(editBeatGrid, { params: { id }, body: { edit: 'shift_ms', ms: 3 } }),
    ),
  );
  assert.deepEqual(
    replies.map(({ body }) => body.data.grid_version).toSorted((left, right) => left - right),
    [1, 2, 3, 4, 5, 6],
  );
  assertMoved(
    (await gridNow()).beats,
    replies[0]?.body.data.beats ?? [],
    0.003 * 6 - 0.003 * (replies[0]?.body.data.grid_version ?? 0),
  );
});

test('an invalid grid is 422 with rule and field, and nothing is lost', async (t) => {
  const { library, id, edit } = await openAnalyzed(t);
  const before = await edit({ edit: 'shift_ms', ms: 5 });
  const refused: readonly [object, string][] = [
    [{ edit: 'multiply', factor: '4' }, 'factor'],
    [{ edit: 'multiply', factor: 2 }, 'factor'],
    [{ edit: 'shift_ms', ms: 60_001 }, 'ms'],
    [{ edit: 'shift_ms', ms: -60_001 }, 'ms'],
    [{ edit: 'shift_beats', beats: 65 }, 'beats'],
    [{ edit: 'set_downbeat', at_seconds: 60.5 }, 'at_seconds'],
    [{ edit: 'set_downbeat', at_seconds: -1 }, 'at_seconds'],
    [{ edit: 'align', at_seconds: 61 }, 'at_seconds'],
    [{ edit: 'set_tempo', bpm: 19 }, 'bpm'],
    [{ edit: 'set_tempo', bpm: 401 }, 'bpm'],
    [{ edit: 'set_tempo', bpm: 120, at_seconds: 70 }, 'at_seconds'],
    [{ edit: 'tap', taps: [1, 2, 3] }, 'taps'],
    [{ edit: 'tap', taps: [1, 1.01, 1.02, 1.03] }, 'taps'],
    [{ edit: 'tap', taps: [1, 2, 3, 70] }, 'taps.3'],
    [{ edit: 'tap', taps: [0, 5, 10, 15] }, 'taps'],
    [{ edit: 'set_time_signature', time_signature: '11/16' }, 'time_signature'],
    [{ edit: 'undo', version: 1, more: 1 }, 'more'],
    [{ edit: 'sing' }, 'edit'],
  ];
  for (const [body, field] of refused) {
    const { status, error } = await library.ask(editBeatGrid, { params: { id }, body });
    assert.deepEqual(
      [status, error.code, Object.keys(error.details ?? {})],
      [422, 'VALIDATION_ERROR', [field]],
      JSON.stringify(body),
    );
  }
  await edit({ edit: 'multiply', factor: '3' });
  const tooFast = await library.ask(editBeatGrid, {
    params: { id },
    body: { edit: 'multiply', factor: '2' },
  });
  assert.match(tooFast.error.details?.['factor']?.[0] ?? '', /20 to 400 bpm \(got 720 after × 2\)/);
  assert.deepEqual(beatsIn(await edit({ edit: 'undo' })), beatsIn(before));
});

test('only the owner may edit, an admin may read, and every change is published to the library', async (t) => {
  const { library, id, analyze, edit } = await openAnalyzed(t);
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  const params = { id };
  assert.equal((await library.ask(getBeatGrid, { params }, admin)).status, 200);
  assert.equal((await library.ask(getBeatGrid, { params }, stranger)).status, 404);
  for (const other of [stranger, admin])
    assert.equal((await library.ask(editBeatGrid, { params, body: { edit: 'lock' } }, other)).status, 404);
  const detected = listenTo(library.context, `library:${library.user.id}`);
  const updates = () => detected.filter(({ event }) => event === 'grid_updated');
  await edit({ edit: 'shift_ms', ms: 1 });
  await edit({ edit: 'lock' });
  await analyze({ bpm: 120 });
  while (updates().length < 3) await new Promise((resolve) => setImmediate(resolve));
  for (const { payload } of updates())
    assert.deepEqual(libraryChannel.pushes.grid_updated.parse(payload), { track_id: id });
});

test('a grid is deleted with its track', async (t) => {
  const { library, id, edit } = await openAnalyzed(t);
  await edit({ edit: 'shift_ms', ms: 1 });
  await edit({ edit: 'use_detected' });
  await edit({ edit: 'lock' });
  await library.context.db.deleteFrom('tracks').where('id', '=', id).execute();
  for (const table of ['beat_grids', 'beat_grid_steps'] as const)
    assert.deepEqual(await library.context.db.selectFrom(table).selectAll().execute(), []);
});
