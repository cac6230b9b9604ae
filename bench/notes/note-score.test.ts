import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ComparedNote, noteScore } from './note-score.ts';

const note = (startSeconds: number, pitch: number, endSeconds = startSeconds + 1): ComparedNote => ({
  startSeconds,
  endSeconds,
  pitch,
});

describe('note score', () => {
  it('is 1 for identical notes and 0 without notes', () => {
    const written = [note(0, 60), note(1, 62)];
    assert.deepEqual(noteScore(written, written, true), { precision: 1, recall: 1, f: 1 });
    assert.deepEqual(noteScore(written, []), { precision: 0, recall: 0, f: 0 });
    assert.deepEqual(noteScore([], written), { precision: 0, recall: 0, f: 0 });
  });

  it('requires onsets within 50 ms and pitches within a quarter tone', () => {
    const written = [note(1, 60)];
    assert.equal(noteScore(written, [note(1.049, 60)]).f, 1);
    assert.equal(noteScore(written, [note(1.051, 60)]).f, 0);
    assert.equal(noteScore([note(1, 60.4)], [note(1, 60)]).f, 1);
    assert.equal(noteScore([note(1, 60.6)], [note(1, 60)]).f, 0);
  });

  it('requires offsets within a fifth of the note length when offsets are scored', () => {
    assert.equal(noteScore([note(1, 60)], [note(1, 60, 2.19)], true).f, 1);
    assert.equal(noteScore([note(1, 60)], [note(1, 60, 2.21)], true).f, 0);
  });

  it('matches each note once, with as many matches as possible', () => {
    const doubled = noteScore([note(1, 60)], [note(1, 60), note(1.01, 60)]);
    assert.deepEqual([doubled.precision, doubled.recall], [0.5, 1]);
    // The first note matches both, the second only one of them.
    assert.equal(noteScore([note(1, 60), note(0.96, 60)], [note(1, 60), note(1.04, 60)]).recall, 1);
  });
});
