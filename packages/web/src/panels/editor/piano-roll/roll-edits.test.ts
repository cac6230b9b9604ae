import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editBounds } from '@stem-studio/contract/limits';
import {
  addEdits,
  copiesOf,
  deleteEdits,
  moveEdits,
  noteAt,
  notesIn,
  resizeEdits,
  setEdits,
  velocityEdits,
} from './roll-edits.ts';

const note = (id: string, start_ms: number, length_ms = 500, pitch = 60, velocity = 90) => ({
  id,
  start_ms,
  length_ms,
  pitch,
  velocity,
});
const low = note('low', 100, 500, 2);
const high = note('high', 1000, 500, 120);

test('notes move together, as far as all stay on the timeline and within MIDI', () => {
  const [edit] = moveEdits('bass', [low, high], { ms: 50.4, semitones: -1 });
  assert.deepEqual(edit?.params, {
    stem_type: 'bass',
    notes: [
      { id: 'low', start_ms: 150, pitch: 1 },
      { id: 'high', start_ms: 1050, pitch: 119 },
    ],
  });
  const [far] = moveEdits('bass', [low, high], { ms: -5000, semitones: 60 });
  assert.deepEqual(far?.operation === 'change_notes' && far.params.notes, [
    { id: 'low', start_ms: 0, pitch: 9 },
    { id: 'high', start_ms: 900, pitch: 127 },
  ]);
  assert.deepEqual(moveEdits('bass', [low], { ms: 0.2, semitones: 0 }), []);
  assert.deepEqual(moveEdits('bass', [note('a', 0, 500, 0)], { ms: -9, semitones: -12 }), []);
  const last = note('last', editBounds.ms - 600);
  assert.deepEqual(copiesOf([last], { ms: 5000, semitones: 12 }), [
    { start_ms: editBounds.ms - 500, length_ms: 500, pitch: 72, velocity: 90 },
  ]);
});

test('ends of notes move as far as the notes keep a length', () => {
  const changes = (side: 'start' | 'end', ms: number) =>
    resizeEdits('bass', [low, high], side, ms).flatMap((edit) =>
      edit.operation === 'change_notes' ? edit.params.notes : [],
    );
  assert.deepEqual(changes('end', 100), [
    { id: 'low', length_ms: 600 },
    { id: 'high', length_ms: 600 },
  ]);
  assert.deepEqual(changes('end', -900), [
    { id: 'low', length_ms: 10 },
    { id: 'high', length_ms: 10 },
  ]);
  assert.deepEqual(changes('start', -300), [
    { id: 'low', start_ms: 0, length_ms: 600 },
    { id: 'high', start_ms: 700, length_ms: 800 },
  ]);
  assert.deepEqual(changes('start', 9000)[0], { id: 'low', start_ms: 590, length_ms: 10 });
  assert.deepEqual(changes('end', 0), []);
});

test('velocities stay within MIDI, and unchanged notes are not named', () => {
  const [edit] = velocityEdits(
    'bass',
    [note('a', 0, 1, 60, 120), note('b', 0, 1, 60, 127)],
    (now) => now + 20,
  );
  assert.deepEqual(edit?.params, { stem_type: 'bass', notes: [{ id: 'a', velocity: 127 }] });
  assert.deepEqual(
    velocityEdits('bass', [note('b', 0, 1, 60, 1)], () => -5),
    [],
  );
});

test('more notes than one operation may name are several operations', () => {
  const notes = Array.from({ length: editBounds.notes + 2 }, (_, index) => note(`n${index}`, index));
  const counts = [addEdits, setEdits, deleteEdits].map((edits) =>
    edits('bass', notes).map(({ operation, params }) => [
      operation,
      'notes' in params ? params.notes.length : 'note_ids' in params ? params.note_ids.length : 0,
    ]),
  );
  assert.deepEqual(counts, [
    [
      ['add_notes', 5000],
      ['add_notes', 2],
    ],
    [
      ['set_notes', 5000],
      ['add_notes', 2],
    ],
    [
      ['delete_notes', 5000],
      ['delete_notes', 2],
    ],
  ]);
  assert.deepEqual(
    setEdits('bass', []).map(({ operation }) => operation),
    ['set_notes'],
  );
});

test('a press takes the note that starts last, and its ends where it is wide enough', () => {
  const long = note('long', 0, 2000);
  const short = note('short', 500, 100);
  const at = (ms: number, pitch = 60) => {
    const hit = noteAt([long, short], ms, pitch, 50);
    return hit && `${hit.note.id} ${hit.part}`;
  };
  assert.deepEqual(
    [at(0), at(49), at(300), at(1960), at(2000)],
    ['long start', 'long start', 'long body', 'long end', null],
  );
  assert.equal(at(550), 'short body');
  assert.equal(at(300, 61), null);
});

test('a box takes the notes that reach into it', () => {
  const ids = (fromMs: number, toMs: number, lowest: number, highest: number) =>
    notesIn([low, high], { fromMs, toMs, lowest, highest }).map(({ id }) => id);
  assert.deepEqual(ids(0, 5000, 0, 127), ['low', 'high']);
  assert.deepEqual(ids(599, 600, 2, 2), ['low']);
  assert.deepEqual(ids(600, 999, 0, 127), []);
  assert.deepEqual(ids(0, 5000, 3, 119), []);
});
