import type { StereoSpectrogram } from './stereo-spectrogram.ts';

/** Number of pan positions from left to right. */
export const panPositionCount = 15;
/** Index of bins without a position: their audio channels are not in phase. */
export const diffuse = panPositionCount;

/** Minimum cosine of the angle between both audio channels for a bin to have a position. */
const inPhase = 0.85;

/**
 * Returns the pan position of each bin, 0 (left) to 14 (right), or {@link diffuse}. Mono audio is at position 7.
 */
export function panPositionsOf({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram): Uint8Array {
  const pans = new Uint8Array(leftRe.length);
  for (let i = 0; i < pans.length; i++) {
    const a = leftRe[i] as number;
    const b = leftIm[i] as number;
    const c = rightRe[i] as number;
    const d = rightIm[i] as number;
    const left = Math.sqrt(a * a + b * b);
    const right = Math.sqrt(c * c + d * d);
    const cosine = (a * c + b * d) / (left * right + 1e-9);
    const angle = Math.floor((Math.atan2(right, left) / (Math.PI / 2)) * panPositionCount);
    const pan = Math.min(panPositionCount - 1, angle);
    // A bin almost on one side has a position, whatever the phase of the other side.
    const isHardPanned = pan === 0 || pan === panPositionCount - 1;
    pans[i] = (isHardPanned && left + right > 0) || cosine > inPhase ? pan : diffuse;
  }
  return pans;
}
