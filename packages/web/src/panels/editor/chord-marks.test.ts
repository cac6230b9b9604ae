import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { soundingChords, transpositionsOf } from './chord-marks.ts';

const song = createProjectState([
  { stem_type: 'vocals', duration_ms: 10_000 },
  { stem_type: 'drums', duration_ms: 10_000 },
  { stem_type: 'bass', duration_ms: 10_000 },
]);
const after = (...edits: Edit[]): ProjectState =>
  edits.reduce((state, edit, index) => applyEdit(state, { ...edit, id: `e${index}` }), song);
const transpose = (value: number, more: object = {}): Edit => ({
  operation: 'transpose',
  params: { value, ...more },
});
const chords = [
  { start: 0, end: 4, label: 'Am' },
  { start: 4, end: 6, label: '' },
  { start: 6, end: 10, label: 'F#/A#' },
];
const shown = (state: ProjectState, key = '') =>
  soundingChords(chords, transpositionsOf(state.lanes), key).map(
    ({ start, end, label }) => `${start}–${end} ${label}`,
  );

test('chords are spelled in the key of the song', () => {
  assert.deepEqual(shown(song, 'D# major'), ['0–4 Am', '4–6 ', '6–10 G♭/B♭']);
  assert.deepEqual(shown(song, 'E major'), ['0–4 Am', '4–6 ', '6–10 F♯/A♯']);
});

test('chords are transposed where all pitched lanes are transposed alike, whatever the drums do', () => {
  const lanes = { lanes: ['vocals', 'bass'] };
  assert.deepEqual(shown(after(transpose(2, lanes))), ['0–4 Bm', '4–6 ', '6–10 A♭/C']);
  const part = after(transpose(1, { start_ms: 2000, end_ms: 5000, ...lanes }));
  assert.deepEqual(shown(part), ['0–2 Am', '2–4 B♭m', '4–6 ', '6–10 F♯/B♭']);
  assert.deepEqual(transpositionsOf(after(transpose(2, { lanes: ['vocals'] })).lanes), []);
  assert.deepEqual(transpositionsOf(after(transpose(0.5)).lanes), []);
  const split = after(transpose(3), { operation: 'split', params: { start_ms: 3000 } });
  assert.deepEqual(transpositionsOf(split.lanes), [{ startMs: 0, endMs: 10_000, semitones: 3 }]);
});

test('a chord that continues after removed time is one', () => {
  const divided = [
    { start: 0, end: 2, label: 'C' },
    { start: 2.01, end: 4, label: 'C' },
    { start: 4.5, end: 5, label: 'C' },
  ];
  assert.deepEqual(soundingChords(divided, [], ''), [
    { start: 0, end: 4, label: 'C' },
    { start: 4.5, end: 5, label: 'C' },
  ]);
});
