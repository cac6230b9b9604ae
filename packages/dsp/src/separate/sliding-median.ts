import { type BufferPool, createBufferPool } from './buffer-pool.ts';

/** Sorted values of a sliding window. */
interface SortedWindow {
  readonly values: Float32Array;
  count: number;
}

function insert(window: SortedWindow, value: number): void {
  const { values } = window;
  let at = window.count++;
  for (; at > 0 && (values[at - 1] as number) > value; at--) values[at] = values[at - 1] as number;
  values[at] = value;
}

function remove(window: SortedWindow, value: number): void {
  const { values } = window;
  let low = 0;
  let high = window.count - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  window.count--;
  values.copyWithin(low, low + 1, window.count + 1);
}

/**
 * Writes the median of each value and its `reach` neighbours on either side; at the ends of those that exist. For an even
 * count the upper of the two.
 */
export function slidingMedian(source: Float32Array, target: Float32Array, reach: number): void {
  const window: SortedWindow = { values: new Float32Array(2 * reach + 3), count: 0 };
  const length = source.length;
  for (let i = 0; i < Math.min(reach, length); i++) insert(window, source[i] as number);
  for (let i = 0; i < length; i++) {
    if (i + reach < length) insert(window, source[i + reach] as number);
    if (i - reach - 1 >= 0) remove(window, source[i - reach - 1] as number);
    target[i] = window.values[window.count >> 1] as number;
  }
}

/** Applies {@link slidingMedian} along frequency, to frames of `bins` values. Returns an array of the pool. */
export function medianAlongFrequency(
  spectrogram: Float32Array,
  bins: number,
  reach: number,
  pool: BufferPool = createBufferPool(),
): Float32Array {
  const result = pool.acquire(spectrogram.length);
  for (let at = 0; at < spectrogram.length; at += bins) {
    slidingMedian(spectrogram.subarray(at, at + bins), result.subarray(at, at + bins), reach);
  }
  return result;
}

/** Bins transposed together, so that each cache line is read once. */
const tileBins = 16;

/** Applies {@link slidingMedian} along time to the first `usedBins` bins; the rest is 0. Returns an array of the pool. */
export function medianAlongTime(
  spectrogram: Float32Array,
  bins: number,
  reach: number,
  usedBins = bins,
  pool: BufferPool = createBufferPool(),
): Float32Array {
  const result = pool.acquire(spectrogram.length);
  const frames = spectrogram.length / bins;
  const tile = new Float32Array(tileBins * frames);
  const medians = new Float32Array(tileBins * frames);
  for (let first = 0; first < usedBins; first += tileBins) {
    const width = Math.min(tileBins, usedBins - first);
    for (let t = 0; t < frames; t++) {
      for (let k = 0; k < width; k++) tile[k * frames + t] = spectrogram[t * bins + first + k] as number;
    }
    for (let k = 0; k < width; k++) {
      const from = k * frames;
      slidingMedian(tile.subarray(from, from + frames), medians.subarray(from, from + frames), reach);
    }
    for (let t = 0; t < frames; t++) {
      for (let k = 0; k < width; k++) result[t * bins + first + k] = medians[k * frames + t] as number;
    }
  }
  return result;
}
