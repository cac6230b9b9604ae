/**
 * Returns the fraction of neighbouring samples of which exactly one is negative, 0 to 1.
 *
 * @see https://librosa.org/doc/latest/generated/librosa.feature.zero_crossing_rate.html
 */
export function zeroCrossingRate(samples: Float32Array): number {
  let crossings = 0;
  let wasNegative = (samples[0] ?? 0) < 0;
  for (let at = 1; at < samples.length; at++) {
    const isNegative = (samples[at] ?? 0) < 0;
    if (isNegative !== wasNegative) crossings++;
    wasNegative = isNegative;
  }
  return samples.length === 0 ? 0 : crossings / samples.length;
}
