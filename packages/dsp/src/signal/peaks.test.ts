import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeaksBuilder, PEAKS_ZOOMS, peakLevel } from './peaks.ts';

const rate = 44100;
const build = (samples: Float32Array[], blockSamples = 1000) => {
  const builder = createPeaksBuilder({ sampleRate: rate });
  for (let from = 0; from < (samples[0]?.length ?? 0); from += blockSamples) {
    builder.push(samples.map((part) => part.subarray(from, from + blockSamples)));
  }
  return builder.finish();
};
const tone = (hz: number, length = 65_536) =>
  Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / rate));

test('has one peak per full or partial group of samples at every zoom', () => {
  const { zooms, frames } = build([tone(100, 70_001)]);
  assert.equal(frames, 70_001);
  assert.deepEqual(
    zooms.map((zoom) => zoom.samplesPerPeak),
    [...PEAKS_ZOOMS],
  );
  assert.deepEqual(
    zooms.map((zoom) => zoom.min.length),
    [274, 69, 18, 5],
  );
});

test('takes minimum and maximum from the mono mix', () => {
  const left = new Float32Array(5000);
  const right = new Float32Array(5000);
  left[300] = 1;
  right[4999] = -1;
  const { zooms } = build([left, right]);
  assert.deepEqual([zooms[0]?.max[1], zooms[0]?.min[19]], [64, -63]);
  assert.deepEqual([zooms[2]?.max[0], zooms[2]?.min[0], zooms[2]?.min[1]], [64, 0, -63]);
  assert.equal(zooms[0]?.max[0], 0);
});

test('gives an RMS of amplitude / √2 for a sine at every zoom', () => {
  for (const zoom of build([tone(1000)]).zooms) {
    for (const byte of zoom.rms) assert.ok(Math.abs(peakLevel(byte) - 0.5 / Math.SQRT2) < 0.01);
  }
});

test('shows a tone in its frequency band', () => {
  for (const [hz, band] of [
    [60, 'low'],
    [700, 'mid'],
    [8000, 'high'],
  ] as const) {
    const zoom = build([tone(hz)]).zooms[1];
    assert.ok(zoom);
    // The first peak contains the transient response of the filters.
    const level = (row: Uint8Array) => peakLevel(row[20] ?? 0);
    for (const other of ['low', 'mid', 'high'] as const) {
      if (other !== band)
        assert.ok(level(zoom[band]) > 2 * level(zoom[other]), `${hz} Hz: ${band} against ${other}`);
    }
  }
});

test('accepts blocks of any length, silence and empty input', () => {
  const samples = [tone(300, 20_000), tone(500, 20_000)];
  assert.deepEqual(build(samples, 1), build(samples, 20_000));
  assert.ok(
    build([new Float32Array(3000)]).zooms.every(
      (zoom) => zoom.max.every((v) => v === 0) && zoom.rms.every((v) => v === 0),
    ),
  );
  assert.deepEqual(
    build([]).zooms.map((zoom) => zoom.min.length),
    [0, 0, 0, 0],
  );
});

test('clips at ±127 beyond full scale', () => {
  const { zooms } = build([Float32Array.of(3, -3)]);
  assert.deepEqual([zooms[0]?.max[0], zooms[0]?.min[0], zooms[0]?.rms[0]], [127, -127, 255]);
});
