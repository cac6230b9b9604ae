import type { BufferPool } from './buffer-pool.ts';
import { createMelodyMask } from './melody-mask.ts';
import type { VoiceMaskPair } from './remove-voice.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, type StereoSpectrogram } from './stereo-spectrogram.ts';
import { voiceBins } from './voice-network.ts';

/** Frames on either side over which the agreement is averaged: 5 s, a phrase. */
const reachFrames = 215;
/** The melody is trusted between these parts of its energy that the network gives to the voice too. */
const agreement = { from: 0.3, to: 0.7 } as const;
const leastEnergy = 1e-9;

/**
 * Raises voice masks where the network misses harmonics of the sung melody, in place.
 *
 * The network errs by missing a voice, hardly ever by inventing one. A voice that follows the melody is found by other
 * means, and is right where the melody is the voice: in a passage in which the network gives most of the melody's energy
 * to the voice, the rest of it is taken to be voice too.
 *
 * ```
 * melody mask ┬→ part that the network calls voice, over 10 s → confidence
 *             └→ square × confidence → raises the network's mask towards 1
 * ```
 *
 * @param magnitude of both audio channels, {@link binCount} values per frame
 * @param masks of the same frames; changed
 */
export function completeVoice(
  spectrogram: StereoSpectrogram,
  magnitude: Float32Array,
  masks: VoiceMaskPair,
  pool: BufferPool,
  report: (part: number) => void,
): void {
  const melody = createMelodyMask(spectrogram, magnitude, pool, report);
  const confidence = confidenceOf(spectrogram, melody, masks);
  for (let t = 0; t < confidence.length; t++) {
    const weight = confidence[t] as number;
    if (weight === 0) continue;
    for (let k = 0; k < voiceBins; k++) {
      const i = t * voiceBins + k;
      const raised = weight * (melody[t * binCount + k] as number) ** 2;
      masks.left[i] = (masks.left[i] as number) + raised * (1 - (masks.left[i] as number));
      masks.right[i] = (masks.right[i] as number) + raised * (1 - (masks.right[i] as number));
    }
  }
  pool.release(melody);
}

/** Returns for each frame how far the melody is trusted, 0 to 1. */
function confidenceOf(
  { leftRe, leftIm, rightRe, rightIm, frameCount }: StereoSpectrogram,
  melody: Float32Array,
  masks: VoiceMaskPair,
): Float64Array {
  const all = new Float64Array(frameCount + 1);
  const agreed = new Float64Array(frameCount + 1);
  for (let t = 0; t < frameCount; t++) {
    let sum = 0;
    let both = 0;
    for (let k = 0; k < voiceBins; k++) {
      const at = t * binCount + k;
      const weight = melody[at] as number;
      if (weight === 0) continue;
      const left = weight * ((leftRe[at] as number) ** 2 + (leftIm[at] as number) ** 2);
      const right = weight * ((rightRe[at] as number) ** 2 + (rightIm[at] as number) ** 2);
      sum += left + right;
      both += left * (masks.left[t * voiceBins + k] as number);
      both += right * (masks.right[t * voiceBins + k] as number);
    }
    all[t + 1] = (all[t] as number) + sum;
    agreed[t + 1] = (agreed[t] as number) + both;
  }
  return Float64Array.from({ length: frameCount }, (_, t) => {
    const from = Math.max(0, t - reachFrames);
    const to = Math.min(frameCount, t + reachFrames + 1);
    const melodyEnergy = (all[to] as number) - (all[from] as number);
    const part = ((agreed[to] as number) - (agreed[from] as number)) / (melodyEnergy + leastEnergy);
    return smoothStep(part, agreement.from, agreement.to);
  });
}
