import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pitchClasses } from '@stem-studio/contract/resources/track';
import { transposedChord, transposedKey } from '@stem-studio/contract/transposed-key';
import { keyColor, keyText, pitchText, shortKeyText } from './key-text.ts';

test('spells keys with the fewest accidentals, as musicians do', () => {
  const spellings = (mode: string) => pitchClasses.map((tonic) => shortKeyText(`${tonic} ${mode}`)).join(' ');
  assert.equal(spellings('major'), 'C D♭ D E♭ E F F♯ G A♭ A B♭ B');
  assert.equal(spellings('minor'), 'Cm C♯m Dm E♭m Em Fm F♯m Gm G♯m Am B♭m Bm');
  assert.deepEqual([keyText('A# minor'), keyText('A minor'), keyText('')], ['B♭ minor', 'A minor', '']);
});

test('spells chords and pitches in the key of the song', () => {
  assert.deepEqual(
    ['D#', 'A#m7', 'G#', 'C/A#', 'F#dim'].map((chord) => pitchText(chord, 'D# major')),
    ['E♭', 'B♭m7', 'A♭', 'C/B♭', 'G♭dim'],
  );
  assert.deepEqual(
    ['G#', 'C#m', 'D#'].map((chord) => pitchText(chord, 'E major')),
    ['G♯', 'C♯m', 'D♯'],
  );
  assert.equal(pitchText('G#dim', 'A minor'), 'G♯dim');
  assert.deepEqual(
    [pitchText('A#', ''), pitchText('F#', ''), pitchText('N', ''), pitchText('', '')],
    ['B♭', 'F♯', 'N', ''],
  );
});

test('colours keys round the Camelot wheel, both modes of a number alike', () => {
  assert.deepEqual(['8A', '8B', '9A', '7B', '1A'].map(keyColor), [
    'var(--fifth-0)',
    'var(--fifth-0)',
    'var(--fifth-1)',
    'var(--fifth-11)',
    'var(--fifth-5)',
  ]);
  assert.equal(keyColor(''), 'inherit');
});

test('moves keys and chords by semitones, in the names of the API', () => {
  assert.equal(keyText(transposedKey('D# major', 2)), 'F major');
  assert.equal(keyText(transposedKey('A minor', -12)), 'A minor');
  assert.equal(transposedKey('C minor', -1), 'B minor');
  assert.deepEqual([transposedKey('', 3), transposedKey('H minor', 3)], ['', 'H minor']);
  assert.deepEqual(
    ['F#m/A', 'A#dim', 'N', ''].map((chord) => transposedChord(chord, 2)),
    ['G#m/B', 'Cdim', 'N', ''],
  );
});
