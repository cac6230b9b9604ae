import { binCount, type StereoSpectrogram } from './stereo-spectrogram.ts';
import { voiceBins } from './voice-network.ts';

/** First bin of the range, 8 to 11 kHz, whose mask is continued above it. */
const continuedFrom = 743;
/** Added to the energy of that range, so that silence has no voice. */
const leastEnergy = 1e-9;

/** Masks of the voice in one spectrogram: for each frame {@link voiceBins} values, 0 to 1. */
export interface VoiceMaskPair {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/**
 * Multiplies a spectrogram by the mask of everything but the voice, in place.
 *
 * Above 11 kHz, where no mask is known, each frame continues the mean mask of 8 to 11 kHz, weighted by energy: the
 * sibilants of a voice reach higher, and there is no pitch that could tell more.
 *
 * @param masks of the same frames; see {@link VoiceMaskPair}
 */
export function removeVoice(spectrogram: StereoSpectrogram, masks: VoiceMaskPair): void {
  removeFromSide(spectrogram.leftRe, spectrogram.leftIm, masks.left);
  removeFromSide(spectrogram.rightRe, spectrogram.rightIm, masks.right);
}

function removeFromSide(re: Float32Array, im: Float32Array, mask: Float32Array): void {
  for (let at = 0, from = 0; at < re.length; at += binCount, from += voiceBins) {
    let energy = leastEnergy;
    let voice = 0;
    for (let k = 0; k < voiceBins; k++) {
      const value = mask[from + k] as number;
      const a = re[at + k] as number;
      const b = im[at + k] as number;
      if (k >= continuedFrom) {
        const power = a * a + b * b;
        energy += power;
        voice += value * power;
      }
      re[at + k] = (1 - value) * a;
      im[at + k] = (1 - value) * b;
    }
    const rest = 1 - voice / energy;
    for (let k = voiceBins; k < binCount; k++) {
      re[at + k] = rest * (re[at + k] as number);
      im[at + k] = rest * (im[at + k] as number);
    }
  }
}

/**
 * Squares the odds of the voice in every bin, in place: masks move towards 0 and 1.
 *
 * Voice and accompaniment then hold less of each other, at the price of a little more distortion.
 */
export function sharpenVoiceMasks({ left, right }: VoiceMaskPair): void {
  for (const mask of [left, right]) {
    for (let i = 0; i < mask.length; i++) {
      const voice = (mask[i] as number) ** 2;
      mask[i] = voice / (voice + (1 - (mask[i] as number)) ** 2);
    }
  }
}
