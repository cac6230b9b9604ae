import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nameBytes, nameText, shownName } from './name-text.ts';

test('converts every byte name to a unique text and back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
      assert.deepEqual(nameBytes(nameText(Buffer.from(bytes))), Buffer.from(bytes));
    }),
    { seed: 5, numRuns: 2000 },
  );
  for (const name of ['Björk.mp3', '夜.flac', '\uEF80x', '\uFFFD.wav', '\uFEFFsong.wav'])
    assert.deepEqual(nameBytes(nameText(Buffer.from(name))), Buffer.from(name));
});

test('keeps UTF-8 names unchanged, and displays others as Windows-1252', () => {
  assert.equal(nameText(Buffer.from('Björk 夜.mp3')), 'Björk 夜.mp3');
  const old = nameText(Buffer.from('Bj\xf6rk \x81.mp3', 'latin1'));
  assert.equal(shownName(old), 'Björk \uFFFD.mp3');
});
