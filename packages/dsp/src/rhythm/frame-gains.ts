import { BEAT_FRAME_RATE } from './beat-network-input.ts';
import { ONSET_RATE } from './onset-envelope.ts';
import { maximumNear, type RhythmEvidence } from './rhythm-evidence.ts';

/** Names of the features of a frame, in the order of {@link frameFeatures}. */
export const frameFeatureNames = ['network', 'envelope', 'drum', 'low', 'middle', 'high'] as const;

/**
 * Returns the features from which the probability of a beat is computed for each frame of 20 ms: a list of curves.
 *
 * They are the log-odds of the network, and the logarithm of the onset strength in relation to its mean.
 */
export function frameFeatures(evidence: RhythmEvidence): Float32Array[] {
  const { onsets, envelope, beatOdds } = evidence;
  const compressed = (curve: Float32Array): Float32Array => {
    const mean = curve.reduce((sum, value) => sum + value, 0) / Math.max(1, curve.length);
    return beatOdds.map((_, frame) => {
      const nearby = maximumNear(curve, (frame * ONSET_RATE) / BEAT_FRAME_RATE, 1, 1);
      return mean > 0 ? Math.log1p(nearby / mean) : 0;
    });
  };
  return [
    beatOdds,
    compressed(envelope),
    ...[onsets.drum, onsets.low, onsets.middle, onsets.high].map(compressed),
  ];
}

/** Returns the log-odds of a beat for each frame: a weighted sum of features and a bias. */
export function weightedGains(
  features: readonly Float32Array[],
  weights: readonly number[],
  bias: number,
): Float32Array {
  const gains = new Float32Array(features[0]?.length ?? 0).fill(bias);
  features.forEach((feature, index) => {
    const weight = weights[index] ?? 0;
    if (weight === 0) return;
    for (let frame = 0; frame < gains.length; frame++)
      gains[frame] = (gains[frame] ?? 0) + weight * (feature[frame] ?? 0);
  });
  return gains;
}
