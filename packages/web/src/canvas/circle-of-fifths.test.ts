import assert from 'node:assert/strict';
import { test } from 'node:test';
import { camelotOf } from '@stem-studio/dsp/tonal/camelot';
import { circleKeyAt, circleKeys, fifthOf, meanChroma, pitchClassOf } from './circle-of-fifths.ts';

test('gives every key the Camelot code of the analysis', () => {
  assert.equal(circleKeys.length, 24);
  assert.equal(new Set(circleKeys.map(({ name }) => name)).size, 24);
  for (const { name, camelot } of circleKeys) assert.equal(camelot, camelotOf(name), name);
});

test('puts neighbours a fifth apart, and minor keys inside their relative major keys', () => {
  assert.deepEqual(
    circleKeys.slice(0, 4).map(({ name }) => name),
    ['C major', 'G major', 'D major', 'A major'],
  );
  assert.equal(circleKeys[12]?.name, 'A minor');
  for (const { name, fifth, isMinor } of circleKeys)
    if (!isMinor) assert.equal(fifthOf(pitchClassOf(name) ?? -1), fifth, name);
});

test('parses the root of chords and keys, flats included', () => {
  assert.equal(pitchClassOf('F#m7'), 6);
  assert.equal(pitchClassOf('Bb major'), 10);
  assert.deepEqual(['E♭m', 'C♭', 'F♯', 'B♭♭'].map(pitchClassOf), [3, 11, 6, 9]);
  assert.equal(pitchClassOf('N'), null);
  assert.equal(pitchClassOf(''), null);
});

test('finds the key at a point of the circle', () => {
  assert.equal(circleKeys[circleKeyAt(0, -0.9) ?? -1]?.name, 'C major');
  assert.equal(circleKeys[circleKeyAt(0.9, 0) ?? -1]?.name, 'A major');
  assert.equal(circleKeys[circleKeyAt(0, -0.7) ?? -1]?.name, 'A minor');
  assert.equal(circleKeyAt(0, 0), null);
  assert.equal(circleKeyAt(0.9, 0.9), null);
});

test('scales chroma to its strongest pitch, and returns null for silence', () => {
  const rows = Array.from({ length: 12 }, (_, pitch) => [pitch === 9 ? 1 : 0.5, pitch === 9 ? 1 : 0]);
  assert.equal(meanChroma(rows)?.[9], 1);
  assert.equal(meanChroma(rows)?.[0], 0.25);
  assert.equal(meanChroma(rows.map(() => [0, 0])), null);
  assert.equal(meanChroma([]), null);
});
