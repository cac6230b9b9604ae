import type { VoiceMaskPair } from './remove-voice.ts';
import { binCount, type StereoSpectrogram } from './stereo-spectrogram.ts';
import { voiceBins } from './voice-network.ts';

/** First bin that counts, 215 Hz: below it are the errors of basses and kicks. */
const firstBin = 20;
/** A voice is as likely as not at this doubt and this level; see {@link voiceLogOdds}. */
const evenOdds = { doubt: 0.24, levelDb: -12 } as const;
/** Log odds per unit of doubt and per dB of level. */
const slope = { doubt: -20, level: 0.2 } as const;
const leastEnergy = 1e-9;

/**
 * Returns the log odds that anybody sings, from the masks of the voice.
 *
 * Where somebody sings the network is certain: its masks are near 0 or 1. What it takes for a voice by mistake is faint,
 * or its masks lie in between. The doubt is the mean of 1 − mask over the energy taken for voice, 0 to 1.
 *
 * @param spectrogram of the mixture
 * @param masks of the same frames
 */
export function voiceLogOdds(spectrogram: StereoSpectrogram, masks: VoiceMaskPair): number {
  const { leftRe, leftIm, rightRe, rightIm, frameCount } = spectrogram;
  const sums = { mixture: leastEnergy, taken: leastEnergy, doubtful: 0, voice: 0 };
  const add = (mask: number, re: number, im: number): void => {
    const energy = re * re + im * im;
    sums.mixture += energy;
    sums.taken += mask * energy;
    sums.doubtful += mask * (1 - mask) * energy;
    sums.voice += mask * mask * energy;
  };
  for (let t = 0; t < frameCount; t++) {
    for (let k = firstBin; k < voiceBins; k++) {
      const at = t * binCount + k;
      const i = t * voiceBins + k;
      add(masks.left[i] as number, leftRe[at] as number, leftIm[at] as number);
      add(masks.right[i] as number, rightRe[at] as number, rightIm[at] as number);
    }
  }
  const doubt = sums.doubtful / sums.taken;
  const levelDb = 10 * Math.log10(sums.voice / sums.mixture + leastEnergy);
  return slope.doubt * (doubt - evenOdds.doubt) + slope.level * (levelDb - evenOdds.levelDb);
}
