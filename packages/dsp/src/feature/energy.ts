/** Loudness of energy 0 and of full energy in LUFS. */
const SOFT_LUFS = -35;
const LOUD_LUFS = -7;
/** Roll-off of the largest brightness in Hz. */
const BRIGHT_HZ = 7_000;
/** Mean onset strength of the largest activity. */
const BUSY = 0.16;

/**
 * Estimates energy from 0 (silence) to 1: half from loudness (−35 to −7 LUFS), a quarter each from onset strength and
 * brightness.
 *
 * energy = 0.5 · clamp((L + 35) / 28)
 *   + clamp((L + 70) / 35) · (0.25 · clamp(onset / 0.16) + 0.25 · clamp(rolloff / 7000))
 *
 * The second factor fades out activity and brightness of nearly inaudible audio. Loudness, onset rate and timbre are
 * the strongest predictors of rated arousal.
 *
 * @param sound.loudnessLufs integrated loudness
 * @param sound.onsetMean mean onset strength over the hops, summed over the frequency bands
 * @param sound.rolloffHz mean spectral roll-off
 * @see Gabrielsson and Lindström, "The role of structure in the musical expression of emotions", in "Handbook of music
 *   and emotion", Oxford 2010
 * @spec Energy and character
 */
export function estimateEnergy(features: {
  loudnessLufs: number;
  onsetMean: number;
  rolloffHz: number;
}): number {
  const loud = clamp((features.loudnessLufs - SOFT_LUFS) / (LOUD_LUFS - SOFT_LUFS));
  const audible = clamp((features.loudnessLufs + 70) / 35);
  const busy = clamp(features.onsetMean / BUSY);
  const bright = clamp(features.rolloffHz / BRIGHT_HZ);
  return 0.5 * loud + audible * (0.25 * busy + 0.25 * bright);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
