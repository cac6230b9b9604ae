import { bandFeatures, logBandEdges, standardiseBands } from './band-features.ts';
import { createPlaneLender, type PlaneLender } from './planes.ts';
import { findSimilarFrames, quantileOverSimilar } from './similar-frames.ts';
import { medianAlongFrequency, medianAlongTime } from './sliding-median.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';

const steadyReachFrames = 8;
const broadReachBins = 15;
/** Below the first the kick is told from the bass by {@link lowDrumShare}, above the second by breadth alone. */
const lowBandHz = { from: 100, to: 250 } as const;
/** Above these, what is left is mostly cymbals. */
const cymbalHz = { from: 6000, to: 11_000 } as const;
const lowSteadyReachFrames = 9;
const lowSteadyGain = 0.9;

/**
 * The share of each bin that is struck: 0 for what goes on in time, 1 for what is broad in frequency.
 *
 * Above the low band this is harmonic–percussive separation by median filters, as a Wiener mask. In the low band,
 * where a kick is no broader than a bass note, {@link lowDrumShare} decides; at the top everything counts as
 * struck by and by.
 *
 * @param magnitude {@link binCount} values a frame
 * @param planes lends the result
 * @see Fitzgerald, Harmonic/Percussive Separation Using Median Filtering, DAFx 2010
 */
export function drumShare(magnitude: Float32Array, planes: PlaneLender = createPlaneLender()): Float32Array {
  const share = medianAlongTime(magnitude, binCount, steadyReachFrames, binCount, planes);
  const broad = medianAlongFrequency(magnitude, binCount, broadReachBins, planes);
  const lowBins = Math.ceil(lowBandHz.to / binHz) + 1;
  const low = lowDrumShare(magnitude, broad, lowBins, planes);
  for (let k = 0; k < binCount; k++) {
    const lowWeight = 1 - smoothStep(k * binHz, lowBandHz.from, lowBandHz.to);
    const cymbalWeight = smoothStep(k * binHz, cymbalHz.from, cymbalHz.to);
    for (let at = k, t = 0; at < share.length; at += binCount, t++) {
      const steadyPower = (share[at] as number) ** 2;
      const broadPower = (broad[at] as number) ** 2;
      let struck = broadPower / (broadPower + steadyPower + 1e-12);
      if (k < lowBins) struck += lowWeight * ((low[t * lowBins + k] as number) - struck);
      share[at] = struck + cymbalWeight * (1 - struck);
    }
  }
  planes.give(broad, low);
  return share;
}

/**
 * The struck share of the lowest bins. A kick is the same each time, the bass below it is not: so the level that
 * is there at (half of) the moments that sound alike in their percussive part is the kick's, as far as it
 * rises above what is steady around it.
 *
 * @param broad the median of `magnitude` along frequency
 * @returns `lowBins` values a frame
 */
function lowDrumShare(
  magnitude: Float32Array,
  broad: Float32Array,
  lowBins: number,
  planes: PlaneLender,
): Float32Array {
  const edges = logBandEdges(2, 1500, 24);
  const features = bandFeatures(broad, binCount, edges);
  standardiseBands(features, edges.length - 1);
  // A blow is told by how it began.
  const alike = { back: 10, ahead: 2, count: 15, spacing: 10 };
  const similar = findSimilarFrames(features, edges.length - 1, alike, planes);
  const share = quantileOverSimilar(magnitude, binCount, lowBins, similar, 0.5, planes);
  const steady = medianAlongTime(magnitude, binCount, lowSteadyReachFrames, lowBins, planes);
  for (let i = 0; i < share.length; i++) {
    const at = Math.floor(i / lowBins) * binCount + (i % lowBins);
    const level = (magnitude[at] as number) + 1e-9;
    const steadyRatio = Math.min(1, (lowSteadyGain * (steady[at] as number)) / level);
    share[i] = (1 - steadyRatio * steadyRatio) * ((share[i] as number) / level);
  }
  planes.give(steady);
  return share;
}
