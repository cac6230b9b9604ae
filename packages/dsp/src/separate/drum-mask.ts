import { bandFeatures, logBandEdges, standardiseBands } from './band-features.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { findSimilarFrames, quantileOverSimilar } from './similar-frames.ts';
import { medianAlongFrequency, medianAlongTime } from './sliding-median.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';

const steadyReachFrames = 8;
const broadReachBins = 15;
/** Below `from` {@link createLowDrumMask} separates kick and bass; above `to` bandwidth alone decides. */
const lowBandHz = { from: 100, to: 250 } as const;
/** Between these frequencies what is undecided becomes cymbals. */
const cymbalHz = { from: 6000, to: 11_000 } as const;
/** Weight of sustained energy above them: cymbals ring, and only partials that stand out clearly are not theirs. */
const sustainedWeight = 0.05;
const lowSteadyReachFrames = 9;
const lowSteadyGain = 0.9;

/**
 * Returns the mask of the drums: 0 for sustained, 1 for broadband energy.
 *
 * Above the low band this is harmonic–percussive separation by median filters, as a Wiener mask. In the low band, where
 * a kick is no broader than a bass note, {@link createLowDrumMask} decides. Towards the top, where cymbals ring, sustained
 * energy counts less.
 *
 * @param magnitude {@link binCount} values per frame
 * @param pool provides the result
 * @param top `judged`: as described; `drums`: everything above 11 kHz is given to the drums, as a voice would be found by
 *   rules alone
 * @see Fitzgerald, Harmonic/Percussive Separation Using Median Filtering, DAFx 2010
 */
export function createDrumMask(
  magnitude: Float32Array,
  pool: BufferPool = createBufferPool(),
  top: 'judged' | 'drums' = 'judged',
): Float32Array {
  const mask = medianAlongTime(magnitude, binCount, steadyReachFrames, binCount, pool);
  const broad = medianAlongFrequency(magnitude, binCount, broadReachBins, pool);
  const lowBins = Math.ceil(lowBandHz.to / binHz) + 1;
  const low = createLowDrumMask(magnitude, broad, lowBins, pool);
  for (let k = 0; k < binCount; k++) {
    const lowWeight = 1 - smoothStep(k * binHz, lowBandHz.from, lowBandHz.to);
    const cymbalWeight = smoothStep(k * binHz, cymbalHz.from, cymbalHz.to);
    const sustained = top === 'judged' ? sustainedWeight ** cymbalWeight : 1;
    for (let at = k, t = 0; at < mask.length; at += binCount, t++) {
      const steadyPower = sustained * (mask[at] as number) ** 2;
      const broadPower = (broad[at] as number) ** 2;
      let percussive = broadPower / (broadPower + steadyPower + 1e-12);
      if (k < lowBins) percussive += lowWeight * ((low[t * lowBins + k] as number) - percussive);
      mask[at] = top === 'judged' ? percussive : percussive + cymbalWeight * (1 - percussive);
    }
  }
  pool.release(broad, low);
  return mask;
}

/**
 * Returns the drum mask of the lowest bins.
 *
 * A kick repeats exactly, the bass below it does not: the median level over moments with similar percussive parts is the
 * kick's, as far as it rises above the sustained level around it.
 *
 * @param broad the median of `magnitude` along frequency
 * @returns `lowBins` values per frame
 */
function createLowDrumMask(
  magnitude: Float32Array,
  broad: Float32Array,
  lowBins: number,
  pool: BufferPool,
): Float32Array {
  const edges = logBandEdges(2, 1500, 24);
  const features = bandFeatures(broad, binCount, edges);
  standardiseBands(features, edges.length - 1);
  // A hit is recognised by its beginning.
  const alike = { back: 10, ahead: 2, count: 15, spacing: 10 };
  const similar = findSimilarFrames(features, edges.length - 1, alike, pool);
  const mask = quantileOverSimilar(magnitude, binCount, lowBins, similar, 0.5, pool);
  const steady = medianAlongTime(magnitude, binCount, lowSteadyReachFrames, lowBins, pool);
  for (let i = 0; i < mask.length; i++) {
    const at = Math.floor(i / lowBins) * binCount + (i % lowBins);
    const level = (magnitude[at] as number) + 1e-9;
    const steadyRatio = Math.min(1, (lowSteadyGain * (steady[at] as number)) / level);
    mask[i] = (1 - steadyRatio * steadyRatio) * ((mask[i] as number) / level);
  }
  pool.release(steady);
  return mask;
}
