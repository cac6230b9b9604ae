/** Estimate of a perceptual attribute with its confidence. */
export interface Estimate {
  /** 0 to 1. */
  readonly value: number;
  /** 0 to 1; 0 for silence or too little audio. */
  readonly confidence: number;
}

/** Preferred tempo of movement in bpm, and the width of the preference in octaves. */
const MOVING_BPM = 120;
const MOVING_OCTAVES = 0.6;
/** Mean rise in the range of the bass drum that counts in full. */
const FULL_LOW = 0.06;
/** Duration from which the confidence is full, in seconds. */
const ENOUGH_SECONDS = 30;
/** Largest confidence of valence, the attribute that audio explains worst. */
const MOST_VALENCE_CONFIDENCE = 0.5;
/** Roll-off of the largest brightness in Hz. */
const BRIGHT_HZ = 7_000;

/**
 * Estimates danceability from pulse clarity, steadiness, bass drum and tempo.
 *
 * 0.4 · pulse clarity + 0.2 · steadiness + 0.2 · bass drum + 0.2 · closeness of the tempo to 120 bpm, the strongest
 * predictors of movement to music; 0 without a pulse.
 *
 * @param sound.tempo beats per minute, 0 without a pulse
 * @param sound.pulseClarity 0 to 1
 * @param sound.isSteady whether the tempo is constant
 * @param sound.drumMean mean rise of the power below 90 Hz, 0 to 1
 * @see Burger, Thompson, Luck, Saarikallio and Toiviainen, "Influences of rhythm- and timbre-related musical features
 *   on characteristics of music-induced movement", Frontiers in Psychology 4, 2013
 * @see Lartillot, Eerola, Toiviainen and Fornari, "Multi-feature modeling of pulse clarity", ISMIR 2008
 */
export function estimateDanceability(features: {
  tempo: number;
  pulseClarity: number;
  isSteady: boolean;
  drumMean: number;
  durationSeconds: number;
}): Estimate {
  const { tempo, pulseClarity, isSteady } = features;
  if (tempo <= 0) return { value: 0, confidence: 0 };
  const distance = Math.log2(tempo / MOVING_BPM) / MOVING_OCTAVES;
  const value =
    0.4 * clamp(pulseClarity) +
    0.2 * Number(isSteady) +
    0.2 * clamp(features.drumMean / FULL_LOW) +
    0.2 * Math.exp(-0.5 * distance ** 2);
  return { value, confidence: clamp(pulseClarity) * clamp(features.durationSeconds / ENOUGH_SECONDS) };
}

/**
 * Estimates valence, how positive a track sounds.
 *
 * 0.5 + 0.25 · mode (major +, minor −, by the confidence in the key) + 0.15 · tempo (from −1 at 60 to 1 at 180 bpm) +
 * 0.1 · brightness (−1 to 1). Mode, tempo and timbre explain listeners' ratings best.
 *
 * @param sound.mode 1 major, −1 minor, 0 if there is no key
 * @param sound.keyConfidence 0 to 1
 * @param sound.tempo beats per minute, 0 without a pulse
 * @param sound.rolloffHz mean spectral roll-off
 * @see Eerola, Lartillot and Toiviainen, "Prediction of multidimensional emotional ratings in music from audio using
 *   multivariate regression models", ISMIR 2009
 */
export function estimateValence(features: {
  mode: 1 | 0 | -1;
  keyConfidence: number;
  tempo: number;
  rolloffHz: number;
  durationSeconds: number;
}): Estimate {
  const { mode, keyConfidence, tempo, rolloffHz } = features;
  if (mode === 0 && tempo <= 0) return { value: 0.5, confidence: 0 };
  const tempoLevel = tempo > 0 ? Math.min(1, Math.max(-1, (tempo - 120) / 60)) : 0;
  const bright = 2 * clamp(rolloffHz / BRIGHT_HZ) - 1;
  // Even with low confidence in the key its mode counts.
  const sureness = 0.5 + 0.5 * clamp(keyConfidence);
  return {
    value: clamp(0.5 + 0.25 * mode * sureness + 0.15 * tempoLevel + 0.1 * bright),
    confidence:
      MOST_VALENCE_CONFIDENCE * clamp(keyConfidence) * clamp(features.durationSeconds / ENOUGH_SECONDS),
  };
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
