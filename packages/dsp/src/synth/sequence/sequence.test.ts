import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import { parseChord, rootAbove, voiceChord } from './chord.ts';
import { createGrid } from './grid.ts';
import { hitsOf, lineOf } from './pattern.ts';
import { harmonyAbove } from './players.ts';

test('parses a chord to its tones and voices it above the lowest note', () => {
  assert.deepEqual(parseChord('F#maj7').tones, [6, 10, 1, 5]);
  assert.deepEqual(voiceChord(parseChord('Am'), 57), [57, 60, 64]);
  assert.deepEqual(voiceChord(parseChord('C'), 57), [60, 64, 67]);
  assert.equal(rootAbove(parseChord('E7'), 33), 40);
  assert.throws(() => parseChord('Hm'), /must be like/);
});

test('lengthens the first sixteenth by swing and keeps the eighths', () => {
  const grid = createGrid(120, 4, 2, 0.6);
  assert.equal(grid.sampleAt(1, 0), 2 * SAMPLE_RATE_HZ);
  assert.equal(grid.sampleAt(0, 0.5), 0.25 * SAMPLE_RATE_HZ);
  assert.equal(grid.sampleAt(0, 0.25), 0.15 * SAMPLE_RATE_HZ);
  assert.throws(() => createGrid(0, 4, 2, 0.5), /20 to 300 bpm \(got 0\)/);
});

test('parses a pattern to hits and a line to notes', () => {
  assert.deepEqual(hitsOf('9... x...', 4), [
    { beat: 0, velocity: 1 },
    { beat: 2, velocity: 8 / 9 },
  ]);
  assert.deepEqual(lineOf('1:A4:la .5:- | .5:C5'), [
    { beat: 0, beats: 1, note: 'A4', syllable: 'la' },
    { beat: 1.5, beats: 0.5, note: 'C5', syllable: '' },
  ]);
  assert.throws(() => hitsOf('x?', 4), /must hold/);
  assert.throws(() => lineOf('A4'), /positive length/);
});

test('returns the third scale note for a third above in A minor', () => {
  const third = harmonyAbove([0, 2, 4, 5, 7, 9, 11], 2);
  assert.deepEqual([69, 71, 72, 76].map(third), [72, 74, 76, 79]);
  assert.equal(harmonyAbove([0, 2, 4, 5, 7, 9, 11], -2)(72), 69);
});
