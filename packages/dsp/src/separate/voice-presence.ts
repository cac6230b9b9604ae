import type { PitchPath } from './pitch-path.ts';
import { smoothStep } from './smooth-step.ts';
import { hopSize } from './stereo-spectrogram.ts';

const framesPerSecond = 44_100 / hopSize;
const reachSeconds = 9;
/** Pitch change per frame that indicates a voice; above `most` it is another note. */
const wanderCents = { least: 12, most: 100 } as const;
/** A voice becomes likely between these fractions of gliding frames, at the usual foreground level. */
const wanderPart = { from: 0.065, to: 0.11 } as const;
/** Decrease of that fraction per dB of foreground above the usual level. */
const wanderPartPerDb = 0.012;
const usualForegroundDb = -12;
/** A voice becomes likely between these levels of the foreground relative to the mixture, in dB. */
const foregroundDb = { from: -18, to: -14 } as const;
/** Lower bound, −14 dB, so that a very steady voice is not lost. */
const leastPresence = 0.2;
const refinedHarmonics = 10;

/**
 * Estimates in each frame how likely singing is, from several seconds around it.
 *
 * A voice glides and has vibrato where instruments hold their pitch, and is not much quieter than the rest.
 *
 * @param path most salient pitch of `strength`
 * @param strength magnitudes of the foreground, `bins` per frame
 * @param foregroundPower of each frame
 * @param mixturePower of each frame
 * @returns {@link leastPresence} to 1 for each frame
 * @see Tachibana, Ono and Sagayama, Singing Voice Enhancement in Monaural Music Signals Based on Two-stage
 *   Harmonic/Percussive Sound Separation on Multiple Resolution Spectrograms (2014), for fluctuation as the mark
 *   of a voice
 */
export function voicePresence(
  path: PitchPath,
  strength: Float32Array,
  bins: number,
  binHz: number,
  foregroundPower: Float64Array,
  mixturePower: Float64Array,
): Float32Array {
  const frames = path.hz.length;
  const pitches = path.hz.map((hz, t) => refinePitch(hz, strength.subarray(t * bins, (t + 1) * bins), binHz));
  const counted = new Float64Array(frames);
  const wandering = new Float64Array(frames);
  for (let t = 0; t + 1 < frames; t++) {
    const cents = Math.abs(1200 * Math.log2((pitches[t + 1] as number) / (pitches[t] as number)));
    if (!(cents < wanderCents.most)) continue;
    counted[t] = path.salience[t] as number;
    if (cents > wanderCents.least) wandering[t] = path.salience[t] as number;
  }
  const around = (values: Float64Array): Float64Array =>
    sumAround(values, Math.round(reachSeconds * framesPerSecond));
  const [countedAround, wanderingAround] = [around(counted), around(wandering)];
  const [foregroundAround, mixtureAround] = [around(foregroundPower), around(mixturePower)];
  return Float32Array.from({ length: frames }, (_, t) => {
    const part = (wanderingAround[t] as number) / ((countedAround[t] as number) + 1e-9);
    const ratio = ((foregroundAround[t] as number) + 1e-12) / ((mixtureAround[t] as number) + 1e-9);
    const levelDb = 10 * Math.log10(ratio);
    const eased = part + wanderPartPerDb * (levelDb - usualForegroundDb);
    const wanders = smoothStep(eased, wanderPart.from, wanderPart.to);
    const isLoud = smoothStep(levelDb, foregroundDb.from, foregroundDb.to);
    return leastPresence + (1 - leastPresence) * wanders * isLoud;
  });
}

/** Refines a pitch by parabolic interpolation of its harmonics, weighted by level and number. */
function refinePitch(hz: number, frame: Float32Array, binHz: number): number {
  let sum = 0;
  let weights = 0;
  for (let harmonic = 1; harmonic <= refinedHarmonics; harmonic++) {
    const centre = Math.round((harmonic * hz) / binHz);
    if (centre < 3 || centre >= frame.length - 3) continue;
    let peak = centre;
    for (let k = centre - 2; k <= centre + 2; k++) {
      if ((frame[k] as number) > (frame[peak] as number)) peak = k;
    }
    const below = frame[peak - 1] as number;
    const at = frame[peak] as number;
    const above = frame[peak + 1] as number;
    const curvature = below - 2 * at + above;
    const offset = curvature < 0 ? (0.5 * (below - above)) / curvature : 0;
    const estimate = ((peak + Math.max(-1, Math.min(1, offset))) * binHz) / harmonic;
    if (Math.abs(Math.log2(estimate / hz)) > 0.06) continue;
    sum += harmonic * at * estimate;
    weights += harmonic * at;
  }
  return weights > 0 ? sum / weights : hz;
}

/** Returns sums over neighbouring frames, weighted by a raised cosine of the given reach. */
function sumAround(values: Float64Array, reach: number): Float64Array {
  const weights = Float64Array.from(
    { length: reach + 1 },
    (_, d) => 0.5 + 0.5 * Math.cos((Math.PI * d) / (reach + 1)),
  );
  return values.map((_, t) => {
    let sum = 0;
    for (let i = Math.max(0, t - reach); i <= Math.min(values.length - 1, t + reach); i++) {
      sum += (values[i] as number) * (weights[Math.abs(i - t)] as number);
    }
    return sum;
  });
}
