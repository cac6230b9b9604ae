import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { medianFilter } from './median-filter.ts';

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
  const filter = medianFilter();
  const size = 4 * bins;
  const isCompiled = reach <= filter.mostReach && size <= filter.source.length;
  // Four frames at once; the compiled filter leaves the last ones.
  const whole = isCompiled ? spectrogram.length - (spectrogram.length % size) : 0;
  for (let at = 0; at < whole; at += size) {
    filter.source.set(spectrogram.subarray(at, at + size));
    filter.alongRows(4, bins, reach);
    result.set(filter.target.subarray(0, size), at);
  }
  for (let at = whole; at < spectrogram.length; at += bins) {
    slidingMedian(spectrogram.subarray(at, at + bins), result.subarray(at, at + bins), reach);
  }
  return result;
}

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
  const filter = medianFilter();
  const { source, target, mostReach } = filter;
  // As many bins as fit, a multiple of four; the last ones may be computed twice.
  const fitting = 4 * Math.floor(source.length / frames / 4);
  const width = Math.min(fitting, usedBins - (usedBins % 4));
  if (width === 0 || reach > mostReach) {
    medianOfColumns(spectrogram, bins, reach, usedBins, result);
    return result;
  }
  for (let first = 0; first < usedBins; first += width) {
    const from = Math.min(first, usedBins - width);
    for (let t = 0; t < frames; t++)
      source.set(spectrogram.subarray(t * bins + from, t * bins + from + width), t * width);
    filter.alongColumns(frames, width, reach);
    for (let t = 0; t < frames; t++) result.set(target.subarray(t * width, (t + 1) * width), t * bins + from);
  }
  return result;
}

/** Computes medians along time where they do not fit into the buffers of the compiled filter. */
function medianOfColumns(
  spectrogram: Float32Array,
  bins: number,
  reach: number,
  usedBins: number,
  result: Float32Array,
): void {
  const frames = spectrogram.length / bins;
  const column = new Float32Array(frames);
  const medians = new Float32Array(frames);
  for (let k = 0; k < usedBins; k++) {
    for (let t = 0; t < frames; t++) column[t] = spectrogram[t * bins + k] as number;
    slidingMedian(column, medians, reach);
    for (let t = 0; t < frames; t++) result[t * bins + k] = medians[t] as number;
  }
}
