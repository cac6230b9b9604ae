import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medianFilter } from './median-filter.ts';
import { medianAlongFrequency, medianAlongTime, slidingMedian } from './sliding-median.ts';

const noise = (length: number): Float32Array => {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    // Few values, so that equal ones meet.
    return Math.floor((state / 2_147_483_647) * 20);
  });
};

const plainMedian = (values: Float32Array, at: number, reach: number): number =>
  values.slice(Math.max(0, at - reach), at + reach + 1).sort()[
    Math.floor(values.slice(Math.max(0, at - reach), at + reach + 1).length / 2)
  ] as number;

test('the sliding median equals the median of every window, also at the ends and with equal values', () => {
  for (const [length, reach] of [
    [200, 8],
    [5, 8],
    [1, 3],
    [50, 1],
  ] as const) {
    const values = noise(length);
    const result = new Float32Array(length);
    slidingMedian(values, result, reach);
    for (let i = 0; i < length; i++) assert.equal(result[i], plainMedian(values, i, reach), `${length} ${i}`);
  }
});

test('medians along time and frequency equal those of columns and rows', () => {
  const bins = 37;
  const frames = 23;
  const values = noise(bins * frames);
  const alongTime = medianAlongTime(values, bins, 4);
  const alongFrequency = medianAlongFrequency(values, bins, 4);
  for (let k = 0; k < bins; k++) {
    const column = Float32Array.from({ length: frames }, (_, t) => values[t * bins + k] as number);
    for (let t = 0; t < frames; t++) assert.equal(alongTime[t * bins + k], plainMedian(column, t, 4));
  }
  for (let t = 0; t < frames; t++) {
    const row = values.slice(t * bins, (t + 1) * bins);
    for (let k = 0; k < bins; k++) assert.equal(alongFrequency[t * bins + k], plainMedian(row, k, 4));
  }
});

test('medians are the same where a window or a spectrogram does not fit into the compiled filter', () => {
  const { source, mostReach } = medianFilter();
  // Too wide a window, too many frames for four bins, too many bins for four frames, and fewer than four of both.
  for (const [frames, bins, reach] of [
    [90, 6, mostReach + 1],
    [source.length / 4 + 1, 5, 2],
    [5, source.length / 4 + 1, 2],
    [3, 3, 1],
  ] as const) {
    const values = noise(bins * frames);
    const alongTime = medianAlongTime(values, bins, reach, bins - 1);
    const alongFrequency = medianAlongFrequency(values, bins, reach);
    const expected = new Float32Array(frames);
    for (let k = 0; k < bins; k += Math.ceil(bins / 5)) {
      slidingMedian(
        Float32Array.from({ length: frames }, (_, t) => values[t * bins + k] as number),
        expected,
        reach,
      );
      for (let t = 0; t < frames; t++)
        if (alongTime[t * bins + k] !== (k < bins - 1 ? expected[t] : 0))
          assert.fail(`${frames} × ${bins}: frame ${t}, bin ${k}`);
    }
    const row = new Float32Array(bins);
    for (let t = 0; t < frames; t += Math.ceil(frames / 5)) {
      slidingMedian(values.subarray(t * bins, (t + 1) * bins), row, reach);
      assert.deepEqual(alongFrequency.subarray(t * bins, (t + 1) * bins), row);
    }
  }
});
