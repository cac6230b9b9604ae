import { powerToDb } from '../units.ts';

/** Bands of spectral contrast: below 200 Hz, and six octaves above. */
export const CONTRAST_BANDS = 7;

const LOWEST_HZ = 200;
const QUANTILE = 0.02;

/**
 * Creates the spectral contrast in dB of seven bands, as librosa defines it (without its `top_db`).
 *
 * It is the mean of the loudest 2 % of the bins of a band relative to the mean of the softest 2 %.
 *
 * @param fftSize samples in the transform
 * @param sampleRate Hz, more than 12,800
 * @returns a function that takes size / 2 + 1 magnitudes and fills seven numbers; it allocates nothing
 * @see Jiang, Lu, Zhang, Tao and Cai, "Music type classification by spectral contrast feature", ICME 2002
 */
export function createSpectralContrast(
  fftSize: number,
  sampleRate: number,
): (magnitude: Float32Array, contrast: Float32Array) => void {
  const binHz = sampleRate / fftSize;
  const bands = Array.from({ length: CONTRAST_BANDS }, (_, band) => {
    const lowHz = band === 0 ? 0 : LOWEST_HZ * 2 ** (band - 1);
    const isLast = band === CONTRAST_BANDS - 1;
    // As in librosa, a band includes the bin before it and excludes its last bin, which belongs to the next band.
    const first = band === 0 ? 0 : Math.ceil(lowHz / binHz) - 1;
    const last = isLast ? fftSize / 2 : Math.floor((LOWEST_HZ * 2 ** band) / binHz);
    const extremeCount = Math.max(1, Math.round(QUANTILE * (last - first + 1)));
    return { first, end: isLast ? last + 1 : last, extremeCount, extremes: new Float32Array(extremeCount) };
  });

  return (magnitude, contrast) => {
    for (const [band, { first, end, extremeCount, extremes }] of bands.entries()) {
      const peak = sumOfLargest(magnitude, first, end, extremes, 1) / extremeCount;
      const valley = -sumOfLargest(magnitude, first, end, extremes, -1) / extremeCount;
      contrast[band] = powerToDb(peak) - powerToDb(valley);
    }
  };
}

/**
 * Returns the sum of the largest (sign 1) or smallest (sign −1, negated) values of a range; `extremes` is a work
 * buffer.
 */
function sumOfLargest(
  values: Float32Array,
  first: number,
  end: number,
  extremes: Float32Array,
  sign: 1 | -1,
): number {
  extremes.fill(-Infinity);
  for (let at = first; at < end; at++) {
    const value = sign * (values[at] ?? 0);
    if (value <= (extremes[0] ?? 0)) continue;
    // Sorted ascending: the smallest of the largest is dropped.
    let index = 0;
    while (index + 1 < extremes.length && (extremes[index + 1] ?? 0) < value) {
      extremes[index] = extremes[index + 1] ?? 0;
      index++;
    }
    extremes[index] = value;
  }
  let sum = 0;
  for (const value of extremes) sum += value === -Infinity ? 0 : value;
  return sum;
}
