import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beatF, isTempo, isTempoOrMultiple } from './beat-score.ts';
import { keyScore } from './key-score.ts';
import { boundaryF, chordOverlap, toMajorMinor } from './span-score.ts';
import { tappedBeats } from './tapped-beats.ts';

describe('analysis scores', () => {
  it('accept a tempo within 4 %, and in the second score octave errors too', () => {
    assert.equal(isTempo(100, 103.9), true);
    assert.equal(isTempo(100, 104.1), false);
    assert.equal(isTempoOrMultiple(100, 50), true);
    assert.equal(isTempoOrMultiple(100, 150), false);
  });

  it('align beats that are half a beat off at half tempo, given eight tapped beats', () => {
    const truth = Array.from({ length: 100 }, (_, index) => 0.3 + index * 0.5);
    const beats = truth.filter((_, index) => index % 2 === 0).map((beat) => beat + 0.25);
    const found = { duration_seconds: 51, beats, tempo: 60, features: {} };
    assert.ok(beatF(truth, beats) === 0);
    assert.ok(beatF(truth, tappedBeats(truth, found)) > 0.98);
    assert.ok(beatF(truth, tappedBeats(truth, { ...found, beats: [] })) < 0.98);
  });

  it('match each beat once within 70 ms, after the first five seconds', () => {
    assert.equal(beatF([1, 6, 7, 8], [6.05, 7.05, 8.05]), 1);
    assert.equal(beatF([6, 7, 8, 9], [6, 8]), 2 / 3);
    assert.equal(beatF([6, 7], [6.5]), 0);
    assert.equal(beatF([6], []), 0);
  });

  it('weight key errors as MIREX does', () => {
    assert.equal(keyScore('Db major', 'C# major'), 1);
    assert.equal(keyScore('C major', 'G major'), 0.5);
    assert.equal(keyScore('C major', 'F major'), 0);
    assert.equal(keyScore('C major', 'A minor'), 0.3);
    assert.equal(keyScore('A minor', 'C major'), 0.3);
    assert.equal(keyScore('C major', 'C minor'), 0.2);
    assert.equal(keyScore('C major', ''), 0);
  });

  it('reduce chord labels of any notation to major and minor', () => {
    const same = ['A:min7', 'Am7', 'Am', 'A:min'].map(toMajorMinor);
    assert.deepEqual(same, ['9:min', '9:min', '9:min', '9:min']);
    assert.deepEqual(['Bb:maj', 'A#', 'A#7', 'Bbmaj7'].map(toMajorMinor), Array(4).fill('10:maj'));
    assert.deepEqual(['N', 'B:dim', 'Gsus4'].map(toMajorMinor), ['N', null, null]);
  });

  it('measure the time of agreeing chords, and match boundaries within the window', () => {
    const truth = [
      { start: 0, end: 2, label: 'C:maj' },
      { start: 2, end: 4, label: 'B:dim' },
      { start: 4, end: 6, label: 'A:min7' },
    ];
    const estimate = [
      { start: 0, end: 3, label: 'Cmaj7' },
      { start: 3, end: 5, label: 'Am' },
      { start: 5, end: 6, label: 'A' },
    ];
    assert.equal(chordOverlap(truth, estimate), 0.75);
    assert.equal(boundaryF(truth, estimate, 0.5), 0);
    assert.equal(boundaryF(truth, estimate, 1), 1);
  });
});
