import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PeaksZoom } from '@stem-studio/dsp/signal/peaks';
import { waveformPaths } from './waveform-path.ts';

function peaksOf(max: readonly number[], low: readonly number[]): PeaksZoom {
  const silent = new Uint8Array(max.length);
  return {
    samplesPerPeak: 1,
    max: Int8Array.from(max),
    min: Int8Array.from(max, (value) => -value),
    rms: silent,
    low: Uint8Array.from(low),
    mid: silent,
    high: silent,
  };
}

test('draws the loudest of the peaks of each column, symmetric about the middle', () => {
  const { peak } = waveformPaths(peaksOf([127, 0, 0, 127, 0, 0], [0, 0, 0, 0, 0, 0]), 3, 20);
  // The loudest peak fills 96 % of the height.
  assert.equal(peak, 'M0 0.4L1 0.4L2 10L2 10L1 19.6L0 19.6Z');
});

test('draws only the bands that sound', () => {
  const paths = waveformPaths(peaksOf([127, 127], [255, 0]), 2, 20);
  assert.match(paths.low, /^M0 0L1 10L/);
  assert.deepEqual([paths.mid, paths.high], ['', '']);
});

test('draws nothing for silence and for an empty song', () => {
  for (const silent of [peaksOf([0, 0], [0, 0]), peaksOf([], [])])
    assert.deepEqual(waveformPaths(silent, 4, 20), { peak: '', low: '', mid: '', high: '' });
});
