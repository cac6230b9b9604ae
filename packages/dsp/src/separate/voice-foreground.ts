import { bandFeatures, logBandEdges, normaliseFrames } from './band-features.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { findSimilarFrames, quantileOverSimilar } from './similar-frames.ts';
import { binCount, type StereoSpectrogram } from './stereo-spectrogram.ts';

const alike = { back: 2, ahead: 2, count: 15, spacing: 20 } as const;
const backgroundGain = 0.7;
/** Suppression of energy outside the centre. */
const sideWeight = 12;
/** Fewer similar frames give no estimate of the background. */
const fewestSimilar = 4;

/**
 * Returns a soft mask of the centred part of each bin that does not repeat.
 *
 * The repeating background is the median over similar frames of the segment. Mono audio is all centred, and audio too
 * short to repeat is all foreground.
 *
 * @param magnitude {@link binCount} values per frame, of both audio channels
 * @param pool provides the result
 * @returns 0 to 1 for each bin
 * @see Rafii and Pardo, Music/Voice Separation Using the Similarity Matrix, ISMIR 2012
 * @see Avendano, Frequency-domain source identification and manipulation in stereo mixes (2003), for the middle
 */
export function voiceForeground(
  spectrogram: StereoSpectrogram,
  magnitude: Float32Array,
  pool: BufferPool = createBufferPool(),
): Float32Array {
  const edges = logBandEdges(4, 1500, 48);
  const features = bandFeatures(magnitude, binCount, edges);
  normaliseFrames(features, edges.length - 1);
  const similar = findSimilarFrames(features, edges.length - 1, alike, pool);
  const isKnown = (similar[0]?.length ?? 0) >= fewestSimilar;
  const foreground = isKnown
    ? quantileOverSimilar(magnitude, binCount, binCount, similar, 0.5, pool)
    : pool.acquire(magnitude.length);
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
