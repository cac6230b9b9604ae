import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze, getAnalysis } from '@stem-studio/contract/endpoints/analysis';
import {
  createCue,
  deleteCue,
  listCues,
  regenerateCues,
  restoreCue,
  updateCue,
} from '@stem-studio/contract/endpoints/cues';
import { exportAnalysis } from '@stem-studio/contract/endpoints/exports';
import { getJob, listJobs } from '@stem-studio/contract/endpoints/jobs';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { restoreWindowSeconds } from '@stem-studio/contract/limits';
import { type Cue, cueColors } from '@stem-studio/contract/resources/cue';
import { sql } from 'kysely';
import { openAnalyzed } from '../../testing/analyzed-track.ts';
import { type LibraryApp, listenTo, openLibrary } from '../../testing/library-steps.ts';
import { testPulse } from '../../testing/test-audio.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { drainJobs, type TestLifetime, type TestOverrides } from '../../testing/test-context.ts';

const chordHz = [220, 261.63, 329.63];

/** Opens a library with an analysed track of forty beats and its cue points, as after an import. */
async function openWithCues(t: TestLifetime, overrides: TestOverrides = {}) {
  const library = await openLibrary(t, { ...overrides, config: { autoAnalyze: true, ...overrides.config } });
  const { id } = await library.addTrack(await testPulse({ seconds: 20, bpm: 120, chordHz }));
  return { library, id };
}

/** The same with generated beats, which is fast: two a second for one minute. */
async function openWithMadeUpBeats(t: TestLifetime, overrides: TestOverrides = {}) {
  const { library, id } = await openAnalyzed(t, overrides);
  return { library, id };
}

async function cuesOf(library: LibraryApp, id: string) {
  return (await library.ask(listCues, { params: { id } })).body.data;
}

async function regenerate(library: LibraryApp, id: string): Promise<Cue[]> {
  const accepted = await library.ask(regenerateCues, { params: { id } });
  assert.equal(accepted.status, 201);
  await drainJobs(library.context);
  const job = await library.ask(getJob, { params: { id: accepted.body.data.job_id } });
  assert.deepEqual([job.body.data.status, job.body.data.error], ['completed', null]);
  return (await cuesOf(library, id)).cues;
}

function at<T>(values: readonly T[], index: number): T {
  const value = values.at(index);
  assert.ok(value !== undefined);
  return value;
}

test('an analysis is followed by 26 or more cue points, ascending, on its beats, at most one per beat', async (t) => {
  const { library, id } = await openWithCues(t);
  const { cues, reason, placed_at } = await cuesOf(library, id);
  assert.ok(cues.length >= 26, `got ${cues.length}`);
  assert.equal(reason, null);
  assert.ok(placed_at);
  const { beats = [] } = (await library.ask(getAnalysis, { params: { track_id: id } })).body.data;
  cues.forEach((cue, index) => {
    const beat = at(beats, (cue.beat ?? 0) - 1);
    assert.ok(Math.abs(cue.position_ms - beat * 1000) <= 0.5);
    assert.ok(index === 0 || (cue.beat ?? 0) > (cues[index - 1]?.beat ?? 0));
    assert.deepEqual([cue.source, cue.color, cue.track_id], ['auto', cueColors[cue.kind], id]);
  });
  assert.deepEqual(
    cues.map(({ rank }) => rank ?? 0).toSorted((left, right) => left - right),
    cues.map((_, index) => index + 1),
  );
  const jobs = (await library.ask(listJobs, { query: { type: 'cues' } })).body.data;
  assert.deepEqual(
    jobs.map(({ track_id, status, progress }) => [track_id, status, progress]),
    [[id, 'completed', 100]],
  );
});

test('a track of fewer beats has a cue on each and gives the reason for few cues', async (t) => {
  const library = await openLibrary(t, { config: { autoAnalyze: true } });
  const { id } = await library.addTrack(await testPulse({ seconds: 8, bpm: 120, chordHz }));
  const { beats = [] } = (await library.ask(getAnalysis, { params: { track_id: id } })).body.data;
  const { cues, reason } = await cuesOf(library, id);
  assert.ok(beats.length > 4 && beats.length < 26);
  assert.equal(cues.length, beats.length);
  assert.match(reason ?? '', new RegExp(`only ${beats.length} beats`));
});

test('no cues are placed with AUTO_ANALYZE off or after an analysis without beats', async (t) => {
  const library = await openLibrary(t);
  const { id } = await library.addTrack(await testPulse({ seconds: 8, bpm: 120, chordHz }));
  const refused = await library.ask(regenerateCues, { params: { id } });
  assert.deepEqual([refused.status, refused.error.code], [422, 'TRACK_NOT_ANALYZED']);
  await library.ask(analyze, { body: { track_id: id } });
  await drainJobs(library.context);
  assert.deepEqual(await cuesOf(library, id), { cues: [], reason: null, placed_at: null });

  const other = await openWithCues(t);
  await other.library.ask(analyze, { body: { track_id: other.id, features: ['key'] } });
  await drainJobs(other.library.context);
  const jobs = (await other.library.ask(listJobs, { query: { type: 'cues' } })).body.data;
  assert.equal(jobs.length, 1);
});

test('promoted, renamed, re-coloured and deleted cues are preserved by a new placement', async (t) => {
  const { library, id } = await openWithCues(t);
  const before = (await cuesOf(library, id)).cues;
  const [promoted, renamed, coloured, deleted, untouched] = [0, 3, 5, 7, 9].map((index) => at(before, index));
  assert.ok(promoted && renamed && coloured && deleted && untouched);
  const edit = (cue: Cue, body: object) => library.ask(updateCue, { params: { id: cue.id }, body });
  const made = (await edit(promoted, { source: 'manual' })).body.data;
  assert.deepEqual([made.source, made.is_promoted, made.label], ['manual', true, promoted.label]);
  assert.equal((await edit(renamed, { label: '  Lift off ' })).body.data.label, 'Lift off');
  assert.equal((await edit(coloured, { color: '#ABCDEF' })).body.data.color, '#abcdef');
  assert.equal((await library.ask(deleteCue, { params: { id: deleted.id } })).status, 204);

  for (const placing of ['on request', 'after another analysis']) {
    if (placing === 'after another analysis') {
      await library.ask(analyze, { body: { track_id: id } });
      await drainJobs(library.context);
    }
    const after = placing === 'on request' ? await regenerate(library, id) : (await cuesOf(library, id)).cues;
    assert.equal(after.length, before.length - 1, placing);
    const byId = new Map(after.map((cue) => [cue.id, cue]));
    assert.deepEqual([byId.get(promoted.id)?.source, byId.get(promoted.id)?.rank], ['manual', promoted.rank]);
    assert.deepEqual([byId.get(renamed.id)?.label, byId.get(renamed.id)?.is_edited], ['Lift off', true]);
    assert.equal(byId.get(coloured.id)?.color, '#abcdef');
    assert.equal(byId.get(untouched.id)?.label, untouched.label);
    assert.ok(after.every(({ beat }) => beat !== deleted.beat));
  }
});

test('cue points follow the beats of a later analysis, and edited ones stay in position', async (t) => {
  const { library, id } = await openWithMadeUpBeats(t);
  const before = (await cuesOf(library, id)).cues;
  const touched = at(before, 4);
  await library.ask(updateCue, { params: { id: touched.id }, body: { label: 'Mine' } });
  // All beats are moved a tenth of a second later.
  for (const name of ['beats', 'downbeats']) {
    await sql`update analyses set result = jsonb_set(result, ${sql.lit(`{${name}}`)}::text[],
      (select jsonb_agg(x::numeric + 0.1) from jsonb_array_elements_text(result -> ${sql.lit(name)}) x))
      where track_id = ${id}`.execute(library.context.db);
  }
  const after = await regenerate(library, id);
  const was = new Map(before.map((cue) => [cue.id, cue]));
  const kept = after.filter((cue) => was.has(cue.id));
  assert.ok(kept.length >= 20 && kept.some((cue) => cue.id === touched.id), `kept ${kept.length}`);
  for (const cue of kept) {
    const { position_ms = 0, beat } = was.get(cue.id) ?? {};
    const moved = cue.id === touched.id ? 0 : 100;
    assert.ok(Math.abs(cue.position_ms - position_ms - moved) <= 1, cue.label);
    assert.equal(cue.beat, beat);
  }
});

test('a manual cue hides the auto cue on its beat until deleted, and occupies the beat alone', async (t) => {
  const { library, id } = await openWithMadeUpBeats(t);
  const before = (await cuesOf(library, id)).cues;
  const auto = at(before, 6);
  const body = { position_ms: auto.position_ms + 40 };
  const set = await library.ask(createCue, {
    params: { id },
    body: { ...body, label: 'Here', kind: 'drop' },
  });
  assert.equal(set.status, 201);
  const mine = set.body.data;
  assert.deepEqual(
    [mine.source, mine.position_ms, mine.beat, mine.bar, mine.color, mine.rank],
    ['manual', body.position_ms, auto.beat, auto.bar, cueColors.drop, null],
  );
  const shown = (await cuesOf(library, id)).cues;
  assert.equal(shown.length, before.length);
  assert.deepEqual(
    shown.filter(({ beat }) => beat === auto.beat).map((cue) => cue.id),
    [mine.id],
  );
  const ranks = shown.flatMap(({ rank }) => (rank === null ? [] : [rank]));
  assert.deepEqual(
    ranks.toSorted((left, right) => left - right),
    ranks.map((_, index) => index + 1),
  );

  const again = await library.ask(createCue, { params: { id }, body });
  assert.deepEqual([again.status, again.error.code], [422, 'CUE_BEAT_TAKEN']);
  const promotion = await library.ask(updateCue, { params: { id: auto.id }, body: { source: 'manual' } });
  assert.equal(promotion.error.code, 'CUE_BEAT_TAKEN');
  assert.ok((await regenerate(library, id)).some((cue) => cue.id === mine.id));

  await library.ask(deleteCue, { params: { id: mine.id } });
  const back = (await cuesOf(library, id)).cues.filter(({ beat }) => beat === auto.beat);
  assert.deepEqual(
    back.map((cue) => cue.id),
    [auto.id],
  );
});

test('a deleted cue can be restored: a detected one at any time, a manual one for ten minutes', async (t) => {
  const clock = createTestClock();
  const { library, id } = await openWithMadeUpBeats(t, { clock });
  const auto = at((await cuesOf(library, id)).cues, 2);
  const mine = (await library.ask(createCue, { params: { id }, body: { position_ms: 10 } })).body.data;
  const restore = (cue: Cue) => library.ask(restoreCue, { params: { id: cue.id } });
  assert.equal((await restore(mine)).error.code, 'CUE_NOT_RESTORABLE');
  for (const cue of [auto, mine]) {
    await library.ask(deleteCue, { params: { id: cue.id } });
    assert.equal((await library.ask(deleteCue, { params: { id: cue.id } })).status, 404);
    assert.equal(
      (await library.ask(updateCue, { params: { id: cue.id }, body: { label: 'x' } })).status,
      404,
    );
    const back = await restore(cue);
    assert.deepEqual([back.status, back.body.data.label], [200, cue.label]);
    await library.ask(deleteCue, { params: { id: cue.id } });
  }
  clock.advance(restoreWindowSeconds + 1);
  assert.equal((await restore(mine)).status, 404);
  assert.equal((await restore(auto)).status, 200);
});

test("an invalid cue is 422 with the rule, and another user's cue is 404", async (t) => {
  const { library, id } = await openWithMadeUpBeats(t);
  const refused: readonly [object, string][] = [
    [{ position_ms: 60_001 }, 'position_ms'],
    [{ position_ms: -1 }, 'position_ms'],
    [{ position_ms: 0.5 }, 'position_ms'],
    [{ position_ms: 0, label: ' ' }, 'label'],
    [{ position_ms: 0, color: 'red' }, 'color'],
    [{ position_ms: 0, kind: 'solo' }, 'kind'],
    [{ position_ms: 0, rank: 1 }, 'rank'],
  ];
  for (const [body, field] of refused) {
    const { status, error } = await library.ask(createCue, { params: { id }, body });
    assert.deepEqual(
      [status, error.code, Object.keys(error.details ?? {})],
      [422, 'VALIDATION_ERROR', [field]],
    );
  }
  const cue = at((await cuesOf(library, id)).cues, 0);
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  assert.equal((await library.ask(listCues, { params: { id } }, admin)).body.data.cues[0]?.id, cue.id);
  assert.equal((await library.ask(listCues, { params: { id } }, stranger)).status, 404);
  for (const other of [stranger, admin]) {
    const params = { id: cue.id };
    const asked = [
      await library.ask(createCue, { params: { id }, body: { position_ms: 0 } }, other),
      await library.ask(regenerateCues, { params: { id } }, other),
      await library.ask(updateCue, { params, body: { label: 'x' } }, other),
      await library.ask(deleteCue, { params }, other),
      await library.ask(restoreCue, { params }, other),
    ];
    for (const { status } of asked) assert.equal(status, 404);
  }
});

test('a waiting placement is not requested twice, and every change is published to the library', async (t) => {
  const { library, id } = await openWithMadeUpBeats(t);
  const topic = `library:${library.user.id}`;
  const messages = listenTo(library.context, topic);
  const updates = () => messages.filter(({ event }) => event === 'cues_updated');
  const first = await library.ask(regenerateCues, { params: { id } });
  const second = await library.ask(regenerateCues, { params: { id } });
  assert.deepEqual([first.status, second.status], [201, 200]);
  assert.equal(second.body.data.job_id, first.body.data.job_id);
  await drainJobs(library.context);
  const cue = at((await cuesOf(library, id)).cues, 0);
  const params = { id: cue.id };
  await library.ask(updateCue, { params, body: { label: 'x' } });
  await library.ask(deleteCue, { params });
  await library.ask(restoreCue, { params });
  await library.ask(createCue, { params: { id }, body: { position_ms: 0 } });
  while (updates().length < 5) await new Promise((resolve) => setImmediate(resolve));
  for (const { payload } of updates())
    assert.deepEqual(libraryChannel.pushes.cues_updated.parse(payload), { track_id: id });
});

test('cue points are in the exported analysis and are deleted with their track', async (t) => {
  const { library, id } = await openWithMadeUpBeats(t);
  const { cues } = await cuesOf(library, id);
  const exported = await library.ask(exportAnalysis, { params: { track_id: id } });
  assert.deepEqual(exported.body.cues, cues);
  await library.ask(deleteTrack, { params: { id } });
  assert.equal((await library.ask(updateCue, { params: { id: at(cues, 0).id }, body: {} })).status, 404);
  await library.context.db.deleteFrom('tracks').where('id', '=', id).execute();
  for (const table of ['cue_points', 'cue_plans'] as const)
    assert.deepEqual(await library.context.db.selectFrom(table).selectAll().execute(), []);
});
