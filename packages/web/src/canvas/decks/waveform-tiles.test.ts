import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeaksBuilder } from '@stem-studio/dsp/signal/peaks';
import { near } from '@stem-studio/renderer/testing/near';
import { waveformGain, zoomFor } from './waveform-tiles.ts';

test('uses the coarsest zoom level that is fine enough, and the finest when zoomed in further', () => {
  const builder = createPeaksBuilder({ sampleRate: 44_100 });
  builder.push([new Float32Array(44_100)]);
  const peaks = builder.finish();
  const samplesPerPeak = (pxPerSecond: number) => zoomFor(peaks, pxPerSecond)?.samplesPerPeak;
  assert.deepEqual([20_000, 180, 40, 10, 1].map(samplesPerPeak), [256, 256, 1024, 4096, 16_384]);
  assert.equal(zoomFor({ ...peaks, zooms: [] }, 100), null);
});

test('enlarges quiet tracks until their loudest peak fills the height, and leaves silence as it is', () => {
  const peaksOf = (level: number) => {
    const builder = createPeaksBuilder({ sampleRate: 44_100 });
    builder.push([new Float32Array(44_100).fill(level)]);
    return builder.finish();
  };
  assert.equal(waveformGain(peaksOf(0)), 1);
  assert.equal(waveformGain(peaksOf(0.01)), 2.5);
  near(waveformGain(peaksOf(0.5)), 0.96 / (64 / 127), 0.02);
});
