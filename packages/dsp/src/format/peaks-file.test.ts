import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createPeaksBuilder } from '../signal/peaks.ts';
import { createTestSong } from '../testing/audio-file.ts';
import { readPeaks, writePeaks } from './peaks-file.ts';

function build(length: number) {
  const builder = createPeaksBuilder({ sampleRate: 44100 });
  builder.push(createTestSong(length, 44100));
  return builder.finish();
}

test('restores a waveform from its file, at six bytes per peak', () => {
  for (const length of [0, 1, 256, 50_000]) {
    const waveform = build(length);
    const bytes = writePeaks(waveform);
    assert.deepEqual(readPeaks(bytes), waveform);
    const peaks = waveform.zooms.reduce((sum, zoom) => sum + zoom.min.length, 0);
    assert.equal(bytes.length, 24 + 4 * 8 + peaks * 6);
  }
});

test('reads a file inside a larger buffer in place', () => {
  const bytes = writePeaks(build(5000));
  const buffer = new Uint8Array(bytes.length + 13);
  buffer.set(bytes, 13);
  assert.deepEqual(readPeaks(buffer.subarray(13)), build(5000));
});

test('rejects bytes that are no peaks file with the rule', () => {
  const bytes = writePeaks(build(5000));
  const patched = (offset: number, value: number) => {
    const copy = bytes.slice();
    copy[offset] = value;
    return copy;
  };
  assert.throws(() => readPeaks(bytes.subarray(0, 10)), /24 bytes of header \(got 10 bytes\)/);
  assert.throws(() => readPeaks(patched(0, 0)), /begin with SSPK/);
  assert.throws(() => readPeaks(patched(4, 9)), /version 1 \(got 9\)/);
  assert.throws(() => readPeaks(patched(6, 200)), /at most 16 zooms/);
  assert.throws(() => readPeaks(patched(28, 99)), /peaks of 256 samples/);
  assert.throws(() => readPeaks(bytes.subarray(0, bytes.length - 1)), /hold all its peaks/);
  assert.throws(() => readPeaks(Buffer.concat([bytes, Buffer.alloc(1)])), /bytes long/);
});

test('reads a mutated peaks file in bounded memory or throws a RangeError', () => {
  const bytes = writePeaks(build(2000));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 6 }),
      fc.nat(bytes.length),
      (changes, keep) => {
        const mutated = bytes.slice(0, keep % 3 === 0 ? keep : undefined);
        for (const [at, value] of changes) mutated[at] = value;
        try {
          const { zooms } = readPeaks(mutated);
          assert.ok(zooms.reduce((sum, zoom) => sum + zoom.min.length * 6, 0) <= mutated.length);
        } catch (error) {
          assert.ok(error instanceof RangeError && error.message.includes('must'), String(error));
        }
      },
    ),
    { numRuns: 300, seed: 3 },
  );
});
