import { bandFeatures, logBandEdges, normaliseFrames } from './band-features.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { findPitchPath } from './pitch-path.ts';
import { findSimilarFrames, quantileOverSimilar } from './similar-frames.ts';
import { medianAlongFrequency, medianAlongTime } from './sliding-median.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';
import { voicePresence } from './voice-presence.ts';

const melodyBins = Math.ceil(6000 / binHz);
const alike = { back: 2, ahead: 2, count: 15, spacing: 20 } as const;
/** Suppression of energy outside the centre. */
const sideWeight = 12;
const backgroundGain = 0.7;
/** Lower frequency limit of a voice. */
const lowHz = { from: 100, to: 220 } as const;
const steadyReachFrames = 8;
const broadReachBins = 15;

/** The melody and its background. */
export interface VoiceMelody {
  /** Pitch of each frame, also where nobody sings. */
  readonly pitchHz: Float64Array;
  /** Likelihood of singing, see `voicePresence`. */
  readonly presence: Float32Array;
  /** Repeating part of the centre, {@link binCount} values per frame. An array of the pool. */
  readonly background: Float32Array;
}

/**
 * Tracks the most salient melody that is centred, sustained and not part of the repeating background.
 *
 * The background is the median over similar frames.
 *
 * @param magnitude of both audio channels, {@link binCount} values per frame
 * @param middle magnitude of the mid channel
 * @param pool provides the background
 * @see Rafii and Pardo, Music/Voice Separation Using the Similarity Matrix, ISMIR 2012
 */
export function trackVocalMelody(
  magnitude: Float32Array,
  middle: Float32Array,
  pool: BufferPool = createBufferPool(),
): VoiceMelody {
  const frames = magnitude.length / binCount;
  const edges = logBandEdges(4, 1500, 48);
  const features = bandFeatures(magnitude, binCount, edges);
  normaliseFrames(features, edges.length - 1);
  const similar = findSimilarFrames(features, edges.length - 1, alike, pool);
  const background = quantileOverSimilar(middle, binCount, binCount, similar, 0.5, pool);
  const steady = medianAlongTime(middle, binCount, steadyReachFrames, binCount, pool);
  const broad = medianAlongFrequency(middle, binCount, broadReachBins, pool);
  const strength = pool.acquire(frames * melodyBins);
  const salience = pool.acquire(frames * melodyBins);
  const voicePower = new Float64Array(frames);
  const mixturePower = new Float64Array(frames);
  const low = Float32Array.from({ length: binCount }, (_, k) => smoothStep(k * binHz, lowHz.from, lowHz.to));
  for (let t = 0; t < frames; t++) {
    for (let k = 0; k < binCount; k++) {
      const at = t * binCount + k;
      const power = (magnitude[at] as number) ** 2;
      const inMiddle = (middle[at] as number) ** 2;
      const central = inMiddle / (inMiddle + sideWeight * Math.max(0, power - inMiddle) + 1e-12);
      const sounding = (steady[at] as number) ** 2;
      const tonal = sounding / (sounding + (broad[at] as number) ** 2 + 1e-12);
      const rest = (middle[at] as number) - backgroundGain * (background[at] as number);
      const value = Math.max(0, rest) * central * tonal * (low[k] as number);
      mixturePower[t] = (mixturePower[t] as number) + power;
      voicePower[t] = (voicePower[t] as number) + value * value;
      if (k >= melodyBins) continue;
      strength[t * melodyBins + k] = value;
      salience[t * melodyBins + k] = Math.sqrt(value);
    }
  }
  const stepSemitones = 0.25;
  const path = findPitchPath(salience, melodyBins, binHz, {
    minHz: 90,
    maxHz: 900,
    stepSemitones,
    harmonics: 12,
    harmonicDecay: 0.84,
    valleyWeight: 0.7,
    maxGlideSteps: 2 / stepSemitones,
    glideCost: 0.6 * stepSemitones,
    jumpCost: 3,
  });
  const presence = voicePresence(path, strength, melodyBins, binHz, voicePower, mixturePower);
  pool.release(steady, broad, strength, salience);
  return { pitchHz: path.hz, presence, background };
}
