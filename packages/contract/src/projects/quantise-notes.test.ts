import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BeatPositions,
  gridLines,
  type NoteGrid,
  nearestLine,
  quantisedNotes,
} from './quantise-notes.ts';

/** 120 bpm from 1 s on, with bars from the second beat. */
const steady: BeatPositions = {
  beatsMs: Array.from({ length: 9 }, (_, beat) => 1000 + 500 * beat),
  firstBar: 1,
  quartersPerBeat: 1,
};
const note = (start_ms: number, length_ms = 200) => ({
  id: `n${start_ms}`,
  start_ms,
  length_ms,
  pitch: 60,
  velocity: 90,
});
const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 10) / 10);

test('grids divide quarter notes, triplets count from the first bar', () => {
  const lines = (grid: NoteGrid) => rounded(gridLines(steady, grid, 1500, 2500));
  assert.deepEqual(lines('1/4'), [1500, 2000, 2500]);
  assert.deepEqual(lines('1/8'), [1500, 1750, 2000, 2250, 2500]);
  assert.deepEqual(lines('1/4T'), [1500, 1833.3, 2166.7, 2500]);
  assert.deepEqual(lines('1/8T'), [1500, 1666.7, 1833.3, 2000, 2166.7, 2333.3, 2500]);
  assert.equal(lines('1/32').length, 17);
  assert.equal(lines('1/32T').length, 25);
  assert.deepEqual(
    rounded(gridLines({ ...steady, quartersPerBeat: 1.5 }, '1/8', 1500, 2000)),
    [1500, 1666.7, 1833.3, 2000],
  );
  assert.deepEqual(gridLines({ ...steady, beatsMs: [5] }, '1/4', 0, 10_000), []);
  assert.deepEqual(gridLines(steady, '1/4', 2000, 1000), []);
});

test('lines follow beats whose tempo drifts, and continue beyond them', () => {
  const drifting: BeatPositions = { beatsMs: [1000, 1500, 2100], firstBar: 0, quartersPerBeat: 1 };
  assert.deepEqual(
    gridLines(drifting, '1/8', 0, 3000),
    [0, 250, 500, 750, 1000, 1250, 1500, 1800, 2100, 2400, 2700, 3000],
  );
  assert.deepEqual(
    [1240, 1770, 40, 2860].map((ms) => nearestLine(drifting, '1/8', ms)),
    [1250, 1800, 0, 3000],
  );
  assert.equal(nearestLine({ ...drifting, beatsMs: [] }, '1/8', 77), 77);
});

test('notes move to the grid by the strength, and keep their lengths or end on the grid', () => {
  const notes = [note(1480), note(1580, 430), note(2000)];
  assert.deepEqual(quantisedNotes(notes, steady, { grid: '1/8', strength: 100, hasEnds: false }), [
    { id: 'n1480', start_ms: 1500 },
    { id: 'n1580', start_ms: 1500 },
  ]);
  assert.deepEqual(quantisedNotes(notes, steady, { grid: '1/8', strength: 50, hasEnds: false }), [
    { id: 'n1480', start_ms: 1490 },
    { id: 'n1580', start_ms: 1540 },
  ]);
  assert.deepEqual(quantisedNotes(notes, steady, { grid: '1/8', strength: 100, hasEnds: true }), [
    { id: 'n1480', start_ms: 1500, length_ms: 250 },
    { id: 'n1580', start_ms: 1500, length_ms: 500 },
    { id: 'n2000', length_ms: 250 },
  ]);
  const without: BeatPositions = { ...steady, beatsMs: [] };
  assert.deepEqual(quantisedNotes(notes, without, { grid: '1/8', strength: 100, hasEnds: true }), []);
});

test('a note before the first line stays on the timeline', () => {
  const beats: BeatPositions = { beatsMs: [100, 600], firstBar: 0, quartersPerBeat: 1 };
  assert.deepEqual(
    quantisedNotes([note(-0, 50), note(20)], beats, { grid: '1/4', strength: 100, hasEnds: false }),
    [
      { id: 'n0', start_ms: 100 },
      { id: 'n20', start_ms: 100 },
    ],
  );
});
