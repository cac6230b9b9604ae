import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editBounds } from '../limits.ts';
import { type Edit, edit } from '../resources/edit-operation.ts';
import type { LaneNote } from '../resources/lane-note.ts';
import { type ProjectState, projectState } from '../resources/project.ts';
import { after, laneOf, song } from '../testing/song-edits.ts';
import { applyEdit, exceededBy } from './apply-edit.ts';

const note = (start_ms: number, pitch = 60, length_ms = 500, velocity = 90) => ({
  start_ms,
  length_ms,
  pitch,
  velocity,
});
const add = (...notes: ReturnType<typeof note>[]): Edit => ({
  operation: 'add_notes',
  params: { stem_type: 'vocals', notes },
});
const set = (...notes: ReturnType<typeof note>[]): Edit => ({
  operation: 'set_notes',
  params: { stem_type: 'vocals', notes },
});
const change = (...notes: Extract<Edit, { operation: 'change_notes' }>['params']['notes']): Edit => ({
  operation: 'change_notes',
  params: { stem_type: 'vocals', notes },
});
const remove = (...note_ids: string[]): Edit => ({
  operation: 'delete_notes',
  params: { stem_type: 'vocals', note_ids },
});
/** Returns the notes of the vocals as "id start+length pitch velocity". */
const notesOf = (state: ProjectState) =>
  laneOf(state, 'vocals').notes.map(
    ({ id, start_ms, length_ms, pitch, velocity }) => `${id} ${start_ms}+${length_ms} ${pitch} ${velocity}`,
  );

test('added notes get the id of the operation and a number, and lie in the order of their starts and pitches', () => {
  const state = after(song, add(note(1000, 64), note(200), note(1000, 60)), add(note(500)));
  assert.deepEqual(notesOf(state), [
    'a.2 200+500 60 90',
    'b.1 500+500 60 90',
    'a.3 1000+500 60 90',
    'a.1 1000+500 64 90',
  ]);
  assert.deepEqual(laneOf(state, 'drums').notes, []);
  assert.equal(laneOf(state, 'drums'), laneOf(song, 'drums'));
});

test('set_notes replaces all notes of a lane, and changes nothing where it has them already', () => {
  const state = after(song, add(note(0), note(10)), set(note(700, 50), note(20, 51)));
  assert.deepEqual(notesOf(state), ['b.2 20+500 51 90', 'b.1 700+500 50 90']);
  assert.equal(after(state, set(note(20, 51), note(700, 50))), state);
  assert.deepEqual(notesOf(after(state, set())), []);
  assert.equal(after(song, set()), song);
});

test('change_notes changes only the given values, in one step for many notes', () => {
  const state = after(
    song,
    add(note(0), note(1000)),
    change({ id: 'a.1', start_ms: 2000, velocity: 20 }, { id: 'a.2', pitch: 72, length_ms: 10 }),
  );
  assert.deepEqual(notesOf(state), ['a.2 1000+10 72 90', 'a.1 2000+500 60 20']);
  const late = after(state, change({ id: 'a.1', start_ms: editBounds.ms - 100 }));
  assert.deepEqual(notesOf(late).at(-1), `a.1 ${editBounds.ms - 100}+100 60 20`);
  const last = after(state, change({ id: 'a.2', pitch: 1 }, { id: 'a.2', pitch: 2 }));
  assert.deepEqual(notesOf(last)[0], 'a.2 1000+10 2 90');
  for (const without of [change({ id: 'a.9', pitch: 1 }), change({ id: 'a.1', velocity: 20 }), remove('b.1')])
    assert.equal(after(state, without), state);
  const unknown: Edit = { operation: 'add_notes', params: { stem_type: 'piano', notes: [note(0)] } };
  assert.equal(after(state, unknown), state);
});

test('delete_notes deletes the named notes, and operations on clips leave notes where they are', () => {
  const state = after(song, add(note(0), note(1000), note(2000)), remove('a.1', 'a.3', 'a.1'));
  assert.deepEqual(notesOf(state), ['a.2 1000+500 60 90']);
  const cut = after(state, { operation: 'cut', params: { start_ms: 0, end_ms: 10_000 } });
  assert.equal(laneOf(cut, 'vocals').notes, laneOf(state, 'vocals').notes);
});

test('remove_time deletes notes within the span, shortens those that reach into it, and moves those after it', () => {
  const state = after(song, add(note(0, 60, 5000), note(1500), note(2100, 62, 800), note(2500, 64, 1000)), {
    operation: 'remove_time',
    params: { start_ms: 1000, end_ms: 3000 },
  });
  assert.deepEqual(notesOf(state), ['a.1 0+3000 60 90', 'a.4 1000+500 64 90']);
  const only = after(song, add(note(20_000)), {
    operation: 'remove_time',
    params: { start_ms: 15_000, end_ms: 16_000 },
  });
  assert.deepEqual(notesOf(only), ['a.1 19000+500 60 90'], 'also after the end of the song');
});

test('a warp moves the notes of lanes that it changes as a whole, not those of single clips', () => {
  const points = [
    { from_ms: 0, to_ms: 0 },
    { from_ms: 1000, to_ms: 2000 },
  ];
  const state = after(song, add(note(500, 60, 250)));
  const warped = after(state, { operation: 'warp', params: { points } });
  assert.deepEqual(notesOf(warped), ['a.1 1000+500 60 90']);
  const lane = after(state, { operation: 'warp', params: { points, stem_type: 'vocals' } });
  assert.deepEqual(notesOf(lane), ['a.1 1000+500 60 90']);
  for (const params of [
    { points, stem_type: 'drums' },
    { points, clip_ids: ['vocals'] },
  ])
    assert.deepEqual(notesOf(after(state, { operation: 'warp', params })), ['a.1 500+250 60 90']);
});

test('an operation that would leave too many notes changes nothing', () => {
  const [vocals, ...others] = song.lanes;
  assert.ok(vocals);
  const notes: LaneNote[] = Array.from({ length: editBounds.notesPerProject - 1 }, (_, index) => ({
    id: `n${index}`,
    ...note(index),
  }));
  const full: ProjectState = { ...song, lanes: [{ ...vocals, notes }, ...others] };
  const bass = (count: number) => ({
    id: 'x',
    operation: 'add_notes' as const,
    params: { stem_type: 'bass', notes: Array.from({ length: count }, () => note(0)) },
  });
  assert.equal(exceededBy(full, bass(1)), null);
  assert.equal(laneOf(applyEdit(full, bass(1)), 'bass').notes.length, 1);
  assert.equal(applyEdit(full, bass(2)), full);
  assert.equal(exceededBy(full, bass(2)), 'notes');
});

test('a state without notes, as it was stored before there were any, has none', () => {
  const stored: unknown = JSON.parse(JSON.stringify(song).replaceAll('"notes":[],', ''));
  assert.notDeepEqual(stored, song);
  assert.deepEqual(projectState.parse(stored), song);
});

/** Returns the messages of an operation that is refused. */
const refusalsOf = (sent: unknown) =>
  edit.safeParse(sent).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

test('notes beyond their bounds are refused with the rule and the value', () => {
  assert.deepEqual(refusalsOf(add(note(0, 128))), ['params.notes.0.pitch: must be 0 to 127 (got 128)']);
  assert.deepEqual(refusalsOf(add(note(-1))), ['params.notes.0.start_ms: must be 0 to 86399999 (got -1)']);
  assert.deepEqual(refusalsOf(add(note(0, 60, 0))), [
    'params.notes.0.length_ms: must be 1 to 86400000 (got 0)',
  ]);
  assert.deepEqual(refusalsOf(add(note(0, 60, 1, 0))), ['params.notes.0.velocity: must be 1 to 127 (got 0)']);
  assert.deepEqual(refusalsOf(set(note(editBounds.ms - 10, 60, 11))), [
    'params.notes.0.length_ms: must end at or before 86400000 ms (got 86400001)',
  ]);
  assert.equal(refusalsOf(add())?.length, 1);
  const many = Array.from({ length: editBounds.notes + 1 }, (_, index) => note(index));
  assert.equal(refusalsOf(set(...many))?.length, 1);
  assert.equal(refusalsOf(set(...many.slice(1))), undefined);
});
