import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';

const windowFrames = 44_100;
/** Level of −60 dBFS (RMS) of the true stem below which a second is not scored. */
const quietRms = 1e-3;

/** Returns the median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Returns the energy of both channels between two frames. */
function energy({ left, right }: StereoAudio, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += (left[i] as number) ** 2 + (right[i] as number) ** 2;
  return sum;
}

/**
 * Returns the signal-to-distortion ratio in dB: the median over seconds of the energy of the truth divided by that of
 * the error. Null for a silent stem.
 *
 * @see Stöter, Liutkus and Ito, The 2018 Signal Separation Evaluation Campaign (museval, image SDR)
 */
export function medianSdrDb(truth: StereoAudio, estimate: StereoAudio): number | null {
  const length = truth.left.length;
  const values: number[] = [];
  for (let from = 0; from === 0 || from + windowFrames <= length; from += windowFrames) {
    const to = Math.min(length, from + windowFrames);
    const signal = energy(truth, from, to);
    if (Math.sqrt(signal / (2 * (to - from))) <= quietRms) continue;
    let error = 1e-12;
    for (let i = from; i < to; i++) {
      error += ((truth.left[i] as number) - (estimate.left[i] as number)) ** 2;
      error += ((truth.right[i] as number) - (estimate.right[i] as number)) ** 2;
    }
    values.push(10 * Math.log10(signal / error));
  }
  return values.length === 0 ? null : median(values);
}

/**
 * Returns the signal-to-distortion ratio of a whole piece in dB: the energy of the truth divided by that of the error.
 * Loud passages count more than in {@link medianSdrDb}. Null for a silent stem.
 */
export function wholeSdrDb(truth: StereoAudio, estimate: StereoAudio): number | null {
  const length = truth.left.length;
  const signal = energy(truth, 0, length);
  if (Math.sqrt(signal / (2 * length)) <= quietRms / 10) return null;
  let error = 1e-12;
  for (const side of ['left', 'right'] as const) {
    for (let i = 0; i < length; i++) {
      error += ((truth[side][i] as number) - (estimate[side][i] as number)) ** 2;
    }
  }
  return 10 * Math.log10(signal / error);
}

/** Returns the level of the estimate of an absent stem relative to the mixture, in dB. */
export function leakDb(estimate: StereoAudio, mixture: StereoAudio): number {
  const length = mixture.left.length;
  return 10 * Math.log10((energy(estimate, 0, length) + 1e-12) / (energy(mixture, 0, length) + 1e-12));
}

/**
 * Returns how much of a stem remains in the mixture minus its estimate, in dB: 0 is all of it. Computed by projection,
 * so that the other stems do not count.
 */
export function leftBehindDb(truth: StereoAudio, estimate: StereoAudio, mixture: StereoAudio): number {
  let still = 0;
  let whole = 1e-12;
  for (const side of ['left', 'right'] as const) {
    for (const [i, x] of truth[side].entries()) {
      still += x * ((mixture[side][i] as number) - (estimate[side][i] as number));
      whole += x * x;
    }
  }
  return 20 * Math.log10(Math.abs(still) / whole + 1e-6);
}
