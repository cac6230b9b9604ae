import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TranscribedNote, TranscriptionWithNotes } from '@stem-studio/contract/resources/notes';
import { noteText, pitchName, sourceName } from '../base/note-text.ts';
import { fittingLanePx, pianoRoll } from './piano-roll.ts';

const id = '00000000-0000-7000-8000-000000000000';
const noteOf = (pitch: number, start_ms: number, end_ms: number): TranscribedNote => ({
  pitch,
  start_ms,
  end_ms,
  velocity: 80,
});

function foundOf(notes: TranscribedNote[]): TranscriptionWithNotes {
  return {
    id,
    track_id: id,
    job_id: id,
    source: 'bass',
    stem_id: id,
    onset_threshold: 0.5,
    frame_threshold: 0.3,
    minimum_note_ms: 128,
    monophonic: true,
    note_count: notes.length,
    created_at: '2026-01-01T00:00:00.000Z',
    notes,
  };
}

const nothing = { beats: [], downbeats: [] };

test('summarises the number and the range of the notes', () => {
  const chart = pianoRoll(foundOf([noteOf(40, 0, 500), noteOf(64, 500, 900)]), nothing);
  assert.equal(chart.title, 'Bass');
  assert.equal(chart.summary, '2 notes · E2 to E4');
  assert.deepEqual(chart.labels, ['F4', 'D#2']);
  assert.equal(chart.rows, 27);
  assert.deepEqual(chart.stops, [0, 0.5]);
  assert.deepEqual(chart.table().rows, [
    ['E2', '0.00 s', '0.50 s', '80'],
    ['E4', '0.50 s', '0.90 s', '80'],
  ]);
});

test('reads the notes at a time, and at a time and a pitch', () => {
  const chart = pianoRoll(foundOf([noteOf(60, 0, 1000), noteOf(64, 500, 900)]), nothing);
  assert.equal(chart.read(0.1, null), 'C4 from 0.00 s for 1.00 s, velocity 80');
  assert.equal(chart.read(0.6, null), 'sounding C4 E4');
  assert.equal(chart.read(2, null), 'silent');
  const rowOf = (name: string) => {
    const top = chart.labels[0];
    return (
      Array.from({ length: chart.rows }, (_, row) => row).find((row) =>
        chart.read(0.6, row).startsWith(name),
      ) ?? Number(top)
    );
  };
  assert.equal(chart.read(0.6, rowOf('E4')), 'E4 from 0.50 s for 0.40 s, velocity 80');
  assert.equal(chart.read(0.6, rowOf('D4')), 'D4 silent · sounding C4 E4');
});

test('shows at least an octave, and reports when there are no notes', () => {
  assert.equal(pianoRoll(foundOf([noteOf(60, 0, 1000)]), nothing).rows, 12);
  const none = pianoRoll(foundOf([]), nothing);
  assert.deepEqual([none.rows, none.summary], [12, 'no notes']);
});

test('finds the note at a position, and its rows keep their pitches at any height', () => {
  const found = foundOf([noteOf(60, 0, 1000), noteOf(64, 500, 900)]);
  for (const lanePx of [undefined, 3, 24]) {
    const roll = pianoRoll(found, nothing, lanePx);
    const rowOf = (pitch: number) => roll.highest - pitch;
    assert.equal(roll.noteAt(0.6, rowOf(64))?.pitch, 64);
    assert.equal(roll.noteAt(0.95, rowOf(64)), null);
    assert.equal(roll.noteAt(0.6, rowOf(62)), null);
    assert.equal(roll.heightPx, roll.rows * roll.lanePx);
  }
});

test('the rows of a wide range are low, those of a narrow one are not higher than 14 pixels', () => {
  assert.equal(fittingLanePx(foundOf([noteOf(21, 0, 10), noteOf(108, 0, 10)])), 3);
  assert.equal(fittingLanePx(foundOf([noteOf(60, 0, 10)])), 14);
});

test('names pitches and sources', () => {
  assert.deepEqual([0, 21, 60, 61, 127].map(pitchName), ['C-1', 'A0', 'C4', 'C#4', 'G9']);
  assert.equal(sourceName('mix'), 'Whole song');
  assert.equal(sourceName('electric_guitar'), 'Electric guitar');
  assert.equal(noteText(noteOf(69, 1250, 1650)), 'A4 from 1.25 s for 0.40 s, velocity 80');
});
