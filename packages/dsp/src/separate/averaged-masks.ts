import { type EstimateMasks, estimateMasksAtOnce } from './stem-masks.ts';
import { estimateMasksVoiceFirst } from './voice-first-masks.ts';

/** Weight of the masks estimated voice first; the others have the rest. */
const voiceFirstWeight = 0.6;

/**
 * Returns the weighted mean of the masks of both methods.
 *
 * A melody model finds a solo singer better; the centre of the stereo image finds choirs and doubled voices. Where the
 * methods differ, the mean is undecided and the refinement decides.
 *
 * ```
 * at once ─────┐
 *              ├→ mean of the masks
 * voice first ─┘
 * ```
 */
export const estimateAveragedMasks: EstimateMasks = (spectrogram, magnitude, pool, report) => {
  const masks = estimateMasksAtOnce(spectrogram, magnitude, pool, (part) => report(0.4 * part));
  const others = estimateMasksVoiceFirst(spectrogram, magnitude, pool, (part) => report(0.4 + 0.6 * part));
  for (const name of ['vocals', 'drums', 'bass'] as const) {
    const [mask, other] = [masks[name], others[name]];
    for (let i = 0; i < mask.length; i++) {
      mask[i] = (1 - voiceFirstWeight) * (mask[i] as number) + voiceFirstWeight * (other[i] as number);
    }
    pool.release(other);
  }
  return masks;
};
