import { bandFeatures, logBandEdges, normaliseFrames } from './band-features.ts';
import { createPlaneLender, type PlaneLender } from './planes.ts';
import { findSimilarFrames, quantileOverSimilar } from './similar-frames.ts';
import { binCount, type StereoSpectrogram } from './stereo-spectrogram.ts';

const alike = { back: 2, ahead: 2, count: 15, spacing: 20 } as const;
const backgroundGain = 0.7;
/** How sharply what is not in the middle is turned down. */
const sideWeight = 12;
/** With fewer similar frames nothing can be said about what repeats. */
const fewestSimilar = 4;

/**
 * How much of each bin stands out as a voice does: in the middle of the stereo picture, and not a part of what
 * repeats. What repeats is the median over the frames that sound alike, wherever in the segment they are; the
 * foreground is the rest of the power.
 *
 * A mono sound is all in the middle, and a sound too short to repeat is all foreground.
 *
 * @param magnitude {@link binCount} values a frame, of both sides together
 * @param planes lends the result
 * @returns 0 to 1 for each bin
 * @see Rafii and Pardo, Music/Voice Separation Using the Similarity Matrix, ISMIR 2012
 * @see Avendano, Frequency-domain source identification and manipulation in stereo mixes (2003), for the middle
 */
export function voiceForeground(
  spectrogram: StereoSpectrogram,
  magnitude: Float32Array,
  planes: PlaneLender = createPlaneLender(),
): Float32Array {
  const edges = logBandEdges(4, 1500, 48);
  const features = bandFeatures(magnitude, binCount, edges);
  normaliseFrames(features, edges.length - 1);
  const similar = findSimilarFrames(features, edges.length - 1, alike, planes);
  const isKnown = (similar[0]?.length ?? 0) >= fewestSimilar;
  const foreground = isKnown
    ? quantileOverSimilar(magnitude, binCount, binCount, similar, 0.5, planes)
    : planes.take(magnitude.length);
  const { leftRe, leftIm, rightRe, rightIm } = spectrogram;
  for (let i = 0; i < foreground.length; i++) {
    const background = (backgroundGain * (foreground[i] as number)) / ((magnitude[i] as number) + 1e-9);
    const sumRe = (leftRe[i] as number) + (rightRe[i] as number);
    const sumIm = (leftIm[i] as number) + (rightIm[i] as number);
    const differenceRe = (leftRe[i] as number) - (rightRe[i] as number);
    const differenceIm = (leftIm[i] as number) - (rightIm[i] as number);
    const middle = sumRe * sumRe + sumIm * sumIm;
    const side = differenceRe * differenceRe + differenceIm * differenceIm;
    foreground[i] = ((1 - background * background) * middle) / (middle + sideWeight * side + 1e-12);
  }
  return foreground;
}
