import { bandFeatures, logBandEdges, normaliseFrames } from './band-features.ts';
import { findPitchPath } from './pitch-path.ts';
import { createPlaneLender, type PlaneLender } from './planes.ts';
import { findSimilarFrames, quantileOverSimilar } from './similar-frames.ts';
import { medianAlongFrequency, medianAlongTime } from './sliding-median.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';
import { voicePresence } from './voice-presence.ts';

const melodyBins = Math.ceil(6000 / binHz);
const alike = { back: 2, ahead: 2, count: 15, spacing: 20 } as const;
/** How sharply what is not in the middle is turned down where the melody is looked for. */
const sideWeight = 12;
const backgroundGain = 0.7;
/** A voice has nothing below the first. */
const lowHz = { from: 100, to: 220 } as const;
const steadyReachFrames = 8;
const broadReachBins = 15;

/** What sings, and what it sings over. */
export interface VoiceMelody {
  /** A pitch for each frame, also where nobody sings. */
  readonly pitchHz: Float64Array;
  /** How likely it is that somebody sings, see `voicePresence`. */
  readonly presence: Float32Array;
  /** What repeats of the middle, {@link binCount} values a frame; lent. */
  readonly background: Float32Array;
}

/**
 * Follows the melody that stands out: in the middle of the stereo picture, sounding on rather than struck, and not
 * a part of what repeats. What repeats is the median over the frames that sound alike, wherever they are.
 *
 * @param magnitude of both sides together, {@link binCount} values a frame
 * @param middle the part of it that both sides share
 * @param planes lends the background
 * @see Rafii and Pardo, Music/Voice Separation Using the Similarity Matrix, ISMIR 2012
 */
export function followVoice(
  magnitude: Float32Array,
  middle: Float32Array,
  planes: PlaneLender = createPlaneLender(),
): VoiceMelody {
  const frames = magnitude.length / binCount;
  const edges = logBandEdges(4, 1500, 48);
  const features = bandFeatures(magnitude, binCount, edges);
  normaliseFrames(features, edges.length - 1);
  const similar = findSimilarFrames(features, edges.length - 1, alike, planes);
  const background = quantileOverSimilar(middle, binCount, binCount, similar, 0.5, planes);
  const steady = medianAlongTime(middle, binCount, steadyReachFrames, binCount, planes);
  const broad = medianAlongFrequency(middle, binCount, broadReachBins, planes);
  const strength = planes.take(frames * melodyBins);
  const salience = planes.take(frames * melodyBins);
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
  planes.give(steady, broad, strength, salience);
  return { pitchHz: path.hz, presence, background };
}
