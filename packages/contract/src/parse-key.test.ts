import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseKey } from './parse-key.ts';
import { musicalKey, pitchClasses } from './resources/track.ts';

test('parses key names with sharps and flats, short or long', () => {
  const names = {
    Am: 'A minor',
    am: 'A minor',
    'A minor': 'A minor',
    'a MIN': 'A minor',
    A: 'A major',
    AM: 'A major',
    'F#': 'F# major',
    'F♯m': 'F# minor',
    Bb: 'A# major',
    bb: 'A# major',
    'B♭ minor': 'A# minor',
    Cb: 'B major',
    'E#': 'F major',
    Gbmaj: 'F# major',
    ' D major ': 'D major',
  };
  for (const [text, key] of Object.entries(names)) assert.equal(parseKey(text), key, text);
});

test('parses Camelot and Open Key codes', () => {
  const codes = {
    '8A': 'A minor',
    '8b': 'C major',
    '1A': 'G# minor',
    '12B': 'E major',
    '5A': 'C minor',
    '3b': 'C# major',
    '1m': 'A minor',
    '1d': 'C major',
    '12d': 'F major',
    '6m': 'G# minor',
  };
  for (const [text, key] of Object.entries(codes)) assert.equal(parseKey(text), key, text);
});

test('returns null for text that is not a key', () => {
  for (const text of ['', 'H', '0A', '13A', '8C', 'Amm', 'A dorian', 'fast', '8 A', 'A##'])
    assert.equal(parseKey(text), null, text);
});

test('parses every key in its canonical spelling and returns only valid keys', () => {
  for (const tonic of pitchClasses) {
    for (const mode of ['major', 'minor']) assert.equal(parseKey(`${tonic} ${mode}`), `${tonic} ${mode}`);
  }
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), (text) => {
      const key = parseKey(text);
      assert.ok(key === null || (key !== '' && musicalKey.safeParse(key).success));
    }),
  );
});
