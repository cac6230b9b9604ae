import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { getProject } from '@stem-studio/contract/endpoints/projects';
import { editBounds } from '@stem-studio/contract/limits';
import { sql } from 'kysely';
import {
  applied,
  logOf,
  openProjectStudio,
  type ProjectStudio,
  sentEdit,
} from '../../testing/project-steps.ts';
import { storedProjectState } from './stored-project.ts';

/** Inserts operations into a log directly: one request adds a hundred at most, and a minute allows sixty. */
async function fillLog({ library, project }: ProjectStudio, count: number): Promise<void> {
  const { db, clock } = library.context;
  await sql`
    insert into edit_operations (project_id, id, number, edit, applied_at)
    select ${project.id}::uuid, gen_random_uuid(), number,
      jsonb_build_object('operation', 'pan', 'params', jsonb_build_object('value', number % 100)),
      ${clock.now()}::timestamptz
    from generate_series(1, ${count}::integer) as number`.execute(db);
  const change = { operations: count, position: count };
  await db.updateTable('projects').set(change).where('id', '=', project.id).execute();
}

test('operations are appended in their order, and the state is that of a window that applies them', async (t) => {
  const studio = await openProjectStudio(t);
  const first = [
    sentEdit('cut', { start_ms: 10_000, end_ms: 20_000, stem_type: 'vocals' }),
    sentEdit('paste', { to_ms: 30_000 }),
  ];
  const reply = await studio.send(first);
  assert.equal(reply.status, 201);
  const { version, position, operations } = reply.body.data;
  assert.deepEqual([version, position], [1, 2]);
  assert.deepEqual(
    operations.map(({ id, number, operation, params, project_id, track_id }) => [
      { id, operation, params },
      number,
      project_id,
      track_id,
    ]),
    first.map((edit, index) => [edit, index + 1, studio.project.id, studio.trackId]),
  );
  assert.equal(operations[0]?.applied_at, studio.clock.now().toISOString());
  await studio.send([sentEdit('fade_out', { start_ms: 58_000, end_ms: 60_000 })]);
  const log = await logOf(studio);
  assert.deepEqual(
    log.map(({ number, operation }) => [number, operation]),
    [
      [1, 'cut'],
      [2, 'paste'],
      [3, 'fade_out'],
    ],
  );
  const now = await studio.read();
  assert.deepEqual([now.operations, now.position, now.version], [3, 3, 2]);
  assert.deepEqual(now.state, applied(studio.project.state, log));
  assert.equal(now.state.lanes[0]?.clips.length, 4);
});

test('undo and redo set the position, and a new operation drops those after it', async (t) => {
  const studio = await openProjectStudio(t);
  await studio.send([sentEdit('mute', { stem_type: 'vocals', value: 1 })]);
  const muted = await studio.read();
  await studio.send([sentEdit('mute', { stem_type: 'drums', value: 1 })]);
  const both = await studio.read();
  const undone = await studio.setPosition(1, both.version);
  assert.deepEqual(undone.body.data, { version: 3, position: 1 });
  assert.deepEqual((await studio.read()).state, muted.state);
  assert.equal((await logOf(studio)).length, 2);
  await studio.setPosition(2, 3);
  assert.deepEqual((await studio.read()).state, both.state);
  await studio.setPosition(0, 4);
  assert.deepEqual((await studio.read()).state, studio.project.state);
  // The same position is no change.
  assert.deepEqual((await studio.setPosition(0, 5)).body.data, { version: 5, position: 0 });

  const added = await studio.send([sentEdit('pan', { stem_type: 'bass', value: -30 })]);
  assert.deepEqual([added.body.data.version, added.body.data.position], [6, 1]);
  const now = await studio.read();
  assert.deepEqual([now.operations, now.position], [1, 1]);
  assert.deepEqual(
    (await logOf(studio)).map(({ operation, number }) => [operation, number]),
    [['pan', 1]],
  );
  const beyond = await studio.setPosition(2, 6);
  assert.deepEqual([beyond.status, beyond.error.details], [422, { position: ['must be 0 to 1 (got 2)'] }]);
});

test('a position for an older version is 409 with the current values, and changes nothing', async (t) => {
  const studio = await openProjectStudio(t);
  await studio.send([sentEdit('split', { start_ms: 500 })]);
  await studio.send([sentEdit('split', { start_ms: 900 })]);
  for (const version of [0, 1, 3]) {
    const { status, error } = await studio.setPosition(0, version);
    assert.deepEqual(
      [status, error.code, error.details],
      [409, 'PROJECT_CHANGED', { version: ['2'], position: ['2'] }],
    );
    assert.match(error.error, new RegExp(`version 2 and position 2, the request was for version ${version}`));
  }
  assert.equal((await studio.read()).position, 2);
});

test('operations that are sent again are not appended again, even after they were undone and dropped', async (t) => {
  const studio = await openProjectStudio(t);
  const [one, two, three] = [1, 2, 3].map((at) => sentEdit('split', { start_ms: at * 1000 }));
  assert.ok(one && two && three);
  await studio.send([one, two]);
  const again = await studio.send([one, two]);
  assert.equal(again.status, 200);
  assert.deepEqual([again.body.data.version, again.body.data.position], [1, 2]);
  assert.deepEqual(
    again.body.data.operations.map(({ id }) => id),
    [one.id, two.id],
  );
  // A part of a request that is known: only the rest is appended, and an id twice in a request counts once.
  const part = await studio.send([two, three, three]);
  assert.deepEqual(
    part.body.data.operations.map(({ id, number }) => [id, number]),
    [
      [two.id, 2],
      [three.id, 3],
    ],
  );
  await studio.setPosition(1, 2);
  await studio.send([sentEdit('marker', { start_ms: 5, label: 'Verse' })]);
  const late = await studio.send([three]);
  assert.deepEqual([late.status, late.body.data.operations, late.body.data.position], [200, [], 2]);
  assert.deepEqual(
    (await logOf(studio)).map(({ operation }) => operation),
    ['split', 'marker'],
  );

  // The ids of dropped operations are kept for a day.
  studio.clock.advance(86_401);
  await studio.setPosition(0, 4);
  await studio.send([sentEdit('marker', { start_ms: 9, label: 'Chorus' })]);
  assert.equal((await studio.send([three])).status, 201);
});

test('an invalid operation is 422 with the rule and the value, and none of its request is appended', async (t) => {
  const studio = await openProjectStudio(t);
  const span = { start_ms: 0, end_ms: 100 };
  const refused: readonly [string, object, string, RegExp][] = [
    ['cut', { ...span, color: 'red' }, 'edits.1.params.color', /^is not a known field$/],
    ['cut', { start_ms: -1, end_ms: 100 }, 'edits.1.params.start_ms', /^must be 0 to 86400000 \(got -1\)$/],
    [
      'cut',
      { start_ms: 100, end_ms: 50 },
      'edits.1.params.end_ms',
      /^must be after start_ms 100 \(got 50\)$/,
    ],
    ['cut', { start_ms: 100, end_ms: 100 }, 'edits.1.params.end_ms', /after start_ms 100 \(got 100\)/],
    [
      'fade_in',
      { start_ms: 100, end_ms: 50 },
      'edits.1.params.end_ms',
      /not be before start_ms 100 \(got 50\)/,
    ],
    ['cut', { start_ms: 0, end_ms: 90_000_000 }, 'edits.1.params.end_ms', /to 86400000 \(got 90000000\)/],
    ['cut', { start_ms: 0.5, end_ms: 100 }, 'edits.1.params.start_ms', /whole number/],
    ['volume', { value: 201 }, 'edits.1.params.value', /^must be 0 to 200 \(got 201\)$/],
    ['volume', { start_ms: 0, value: 100 }, 'edits.1.params.end_ms', /together/],
    ['pan', { value: -101 }, 'edits.1.params.value', /^must be -100 to 100 \(got -101\)$/],
    ['mute', { value: 2 }, 'edits.1.params.value', /0 or 1/],
    ['move', { clip_ids: [], to_ms: 0 }, 'edits.1.params.clip_ids', /empty/],
    ['explode', {}, 'edits.1.operation', /^must be one of cut, copy, paste/],
  ];
  for (const [operation, params, field, rule] of refused) {
    const { status, error } = await studio.send([
      sentEdit('split', { start_ms: 10 }),
      { id: randomUUID(), operation, params },
    ]);
    assert.equal(status, 422, operation);
    const messages = error.details?.[field];
    assert.ok(messages, `${operation}: ${JSON.stringify(error)}`);
    assert.match(messages.join(), rule, operation);
  }
  const split = sentEdit('split', { start_ms: 10 });
  assert.equal((await studio.send([])).status, 422);
  assert.equal((await studio.send([{ ...split, id: 'mine' }])).status, 422);
  assert.equal(
    (await studio.send(Array.from({ length: 101 }, () => sentEdit('split', { start_ms: 1 })))).status,
    422,
  );
  assert.deepEqual(await studio.read(), studio.project);
});

test('projects of others are not found', async (t) => {
  const studio = await openProjectStudio(t);
  const stranger = await studio.library.registerUser();
  const replies = [
    await studio.send([sentEdit('split', { start_ms: 10 })], stranger),
    await studio.setPosition(0, 0, stranger),
    await studio.library.ask(getProject, { params: { id: studio.project.id } }, stranger),
  ];
  for (const { status, error } of replies)
    assert.deepEqual([status, error.error], [404, 'project not found']);
  const admin = await studio.library.registerUser('admin');
  assert.equal((await studio.send([sentEdit('split', { start_ms: 10 })], admin)).status, 404);
  assert.deepEqual(await studio.read(), studio.project);
});

test('a log has ten thousand operations at most; one too many is refused and the rest is kept', async (t) => {
  const studio = await openProjectStudio(t);
  await fillLog(studio, editBounds.operations - 1);
  const two = [sentEdit('split', { start_ms: 1 }), sentEdit('split', { start_ms: 2 })];
  const refused = await studio.send(two);
  assert.deepEqual([refused.status, refused.error.code], [422, 'TOO_MANY_OPERATIONS']);
  assert.match(refused.error.error, /at most 10000 operations \(it has 9999, and 2 were sent, of which none/);
  assert.deepEqual(refused.error.details, { edits: ['must be at most 1 (got 2)'] });
  assert.equal((await studio.send(two.slice(0, 1))).status, 201);
  assert.equal((await logOf(studio)).length, editBounds.operations);
  const { state, position } = await studio.read();
  assert.deepEqual([position, state.lanes[0]?.clips.length], [editBounds.operations, 2]);
});

test('an operation that would leave too many clips is refused with its index', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, project } = studio;
  const [vocals, ...others] = project.state.lanes;
  const clip = vocals?.clips[0];
  assert.ok(vocals && clip);
  const clips = Array.from({ length: editBounds.clipsPerProject - 5 }, (_, index) => ({
    ...clip,
    id: `clip-${index}`,
    start_ms: index * 5,
    from_ms: index * 5,
    length_ms: 5,
  }));
  const state = storedProjectState.toText({ ...project.state, lanes: [{ ...vocals, clips }, ...others] });
  await library.context.db.updateTable('project_snapshots').set({ state }).execute();
  const split = (start_ms: number) => sentEdit('split', { start_ms, lanes: ['drums', 'bass'] });
  const refused = await studio.send([split(100), split(200)]);
  assert.deepEqual([refused.status, refused.error.code], [422, 'TOO_MANY_CLIPS']);
  assert.match(
    refused.error.error,
    /at most 10000 clips, and "split" would exceed that; none of the operations/,
  );
  assert.deepEqual(Object.keys(refused.error.details ?? {}), ['edits.1']);
  assert.equal((await studio.read()).position, 0);
  assert.equal((await studio.send([split(100)])).status, 201);
});

/** @spec Edit operations */
test('notes are drawn, changed and deleted by operations, and undone by position', async (t) => {
  const studio = await openProjectStudio(t);
  const note = { start_ms: 1000, length_ms: 500, pitch: 60, velocity: 90 };
  const draw = sentEdit('add_notes', { stem_type: 'vocals', notes: [note, { ...note, pitch: 64 }] });
  const ids = [`${draw.id}.1`, `${draw.id}.2`];
  const change = sentEdit('change_notes', { stem_type: 'vocals', notes: [{ id: ids[0], pitch: 62 }] });
  const remove = sentEdit('delete_notes', { stem_type: 'vocals', note_ids: [ids[1]] });
  assert.equal((await studio.send([draw, change, remove])).status, 201);
  const notesNow = async () =>
    (await studio.read()).state.lanes
      .find(({ id }) => id === 'vocals')
      ?.notes.map(({ id, pitch }) => [id, pitch]);
  assert.deepEqual(await notesNow(), [[ids[0], 62]]);
  await studio.setPosition(1, 1);
  assert.deepEqual(await notesNow(), [
    [ids[0], 60],
    [ids[1], 64],
  ]);
  await studio.setPosition(0, 2);
  assert.deepEqual(await notesNow(), []);
});

test('notes beyond the limit of a project are refused with the index of the operation', async (t) => {
  const studio = await openProjectStudio(t);
  const notes = Array.from({ length: editBounds.notes }, (_, index) => ({
    start_ms: index,
    length_ms: 1,
    pitch: 60,
    velocity: 90,
  }));
  const add = () => sentEdit('add_notes', { stem_type: 'bass', notes });
  for (let sent = 0; sent < editBounds.notesPerProject; sent += editBounds.notes)
    assert.equal((await studio.send([add()])).status, 201);
  const last = sentEdit('add_notes', { stem_type: 'vocals', notes: notes.slice(0, 1) });
  const refused = await studio.send([sentEdit('split', { start_ms: 5 }), last]);
  assert.deepEqual([refused.status, refused.error.code], [422, 'TOO_MANY_NOTES']);
  assert.match(refused.error.error, /at most 20000 notes, and "add_notes" would exceed that; none of the/);
  assert.deepEqual(Object.keys(refused.error.details ?? {}), ['edits.1']);
  assert.equal((await studio.read()).position, 4);
});

test('a state is stored every fifty operations, dropped with them, and not needed to read the log', async (t) => {
  const studio = await openProjectStudio(t);
  const { db } = studio.library.context;
  const splits = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => sentEdit('split', { start_ms: (from + index) * 7 }));
  const numbers = async () =>
    (
      await db
        .selectFrom('project_snapshots')
        .select('number')
        .where('project_id', '=', studio.project.id)
        .orderBy('number')
        .execute()
    ).map(({ number }) => number);
  await studio.send(splits(1, 60));
  await studio.send(splits(61, 60));
  assert.deepEqual(await numbers(), [0, 50, 100]);
  const state = applied(studio.project.state, await logOf(studio));
  assert.deepEqual((await studio.read()).state, state);
  await db
    .updateTable('project_snapshots')
    .set({ state: '{"lanes": "lost"}' })
    .where('number', '=', 100)
    .execute();
  assert.deepEqual((await studio.read()).state, state);
  await db.deleteFrom('project_snapshots').execute();
  assert.deepEqual((await studio.read()).state, state);

  await studio.setPosition(70, 2);
  await studio.send(splits(500, 35));
  assert.deepEqual(await numbers(), [100]);
  assert.deepEqual((await studio.read()).state, applied(studio.project.state, await logOf(studio)));
});
