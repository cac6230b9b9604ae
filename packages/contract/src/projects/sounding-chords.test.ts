import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Edit } from '../resources/edit-operation.ts';
import type { ProjectState } from '../resources/project.ts';
import { after, song } from '../testing/song-edits.ts';
import { soundingChords, transpositionsOf } from './sounding-chords.ts';

const transpose = (value: number, more: object = {}): Edit => ({
  operation: 'transpose',
  params: { value, ...more },
});
const chords = [
  { start: 0, end: 4, label: 'Am' },
  { start: 4, end: 6, label: '' },
  { start: 6, end: 10, label: 'F#/A#' },
];
const shown = (state: ProjectState) =>
  soundingChords(chords, transpositionsOf(state.lanes)).map(
    ({ start, end, label }) => `${start}–${end} ${label}`,
  );

test('chords are transposed where all pitched lanes are transposed alike, whatever the drums do', () => {
  const lanes = { lanes: ['vocals', 'bass'] };
  assert.deepEqual(shown(after(song, transpose(2, lanes))), ['0–4 Bm', '4–6 ', '6–10 G#/C']);
  const part = after(song, transpose(1, { start_ms: 2000, end_ms: 5000, ...lanes }));
  assert.deepEqual(shown(part), ['0–2 Am', '2–4 A#m', '4–6 ', '6–10 F#/A#']);
  // Only the vocals sound after the end of the bass.
  assert.deepEqual(transpositionsOf(after(song, transpose(2, { lanes: ['vocals'] })).lanes), [
    { startMs: 9500, endMs: 10_000, semitones: 2 },
  ]);
  assert.deepEqual(transpositionsOf(after(song, transpose(0.5)).lanes), []);
  const split = after(song, transpose(3), { operation: 'split', params: { start_ms: 3000 } });
  assert.deepEqual(transpositionsOf(split.lanes), [{ startMs: 0, endMs: 10_000, semitones: 3 }]);
});

test('a chord that continues after removed time is one', () => {
  const divided = [
    { start: 0, end: 2, label: 'C' },
    { start: 2.01, end: 4, label: 'C' },
    { start: 4.5, end: 5, label: 'C' },
  ];
  assert.deepEqual(soundingChords(divided, []), [
    { start: 0, end: 4, label: 'C' },
    { start: 4.5, end: 5, label: 'C' },
  ]);
});
