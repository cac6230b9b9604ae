import type { StereoSpectrogram } from './stereo-spectrogram.ts';

/** Places from the left to the right; one more index stands for everywhere. */
export const placeCount = 15;
/** The index of what has no place: its sides are not in phase. */
export const everywhere = placeCount;

/** The cosine of the angle between both sides from which on a bin has one place. */
const inPhase = 0.85;

/**
 * The place in the panorama of each bin, 0 (left) to 14 (right), or {@link everywhere}. Instruments that are mixed to
 * different places are told apart by it; a mono sound is all in the middle, place 7.
 */
export function placesOf({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram): Uint8Array {
  const places = new Uint8Array(leftRe.length);
  for (let i = 0; i < places.length; i++) {
    const a = leftRe[i] as number;
    const b = leftIm[i] as number;
    const c = rightRe[i] as number;
    const d = rightIm[i] as number;
    const left = Math.sqrt(a * a + b * b);
    const right = Math.sqrt(c * c + d * d);
    const cosine = (a * c + b * d) / (left * right + 1e-9);
    const angle = Math.floor((Math.atan2(right, left) / (Math.PI / 2)) * placeCount);
    const place = Math.min(placeCount - 1, angle);
    // What is nearly on one side alone has a place, whatever little the other side holds.
    const isAside = place === 0 || place === placeCount - 1;
    places[i] = (isAside && left + right > 0) || cosine > inPhase ? place : everywhere;
  }
  return places;
}
