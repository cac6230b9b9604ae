import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writePeaks } from '@stem-studio/dsp/format/peaks-file';
import { createPeaksBuilder } from '@stem-studio/dsp/signal/peaks';
import { coarsestZoom, fileAddress } from './peaks-query.ts';

test('finds the coarsest zoom by the header', () => {
  const builder = createPeaksBuilder({ sampleRate: 44_100 });
  builder.push([Float32Array.from({ length: 100_000 }, (_, n) => Math.sin(n * 0.01))]);
  const waveform = builder.finish();
  const bytes = writePeaks(waveform);
  const last = waveform.zooms.at(-1);
  const found = coarsestZoom(bytes.subarray(0, 152));
  assert.equal(found?.peaks, last?.min.length);
  assert.equal(found?.samplesPerPeak, last?.samplesPerPeak);
  assert.deepEqual(
    [...new Int8Array(bytes.buffer, bytes.byteOffset + (found?.offset ?? 0), found?.peaks)],
    [...(last?.min ?? [])],
  );
});

test('returns null for a file that is too short', () => {
  assert.equal(coarsestZoom(new Uint8Array(10)), null);
});

test('encodes each segment of a path', () => {
  assert.equal(fileAddress('downloads/a b#1.mp3'), '/files/downloads/a%20b%231.mp3');
});
