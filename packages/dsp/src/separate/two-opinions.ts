import { type DivideStems, divideAtOnce } from './stem-shares.ts';
import { divideVoiceFirst } from './voice-first-shares.ts';

/** What the division that begins with the voice counts; the other one counts the rest. */
const voiceFirstWeight = 0.6;

/**
 * Divides in both ways and takes the weighted mean of each bin's shares: one melody explains a lone singer better, and
 * the middle of the picture finds choirs and doubled voices, which follow no single melody. Where both agree the share
 * stays sharp; where they differ it stays open, and a second round decides.
 *
 * ```
 * at once ┐
 *         ├→ mean of the shares
 * voice ──┘
 * ```
 */
export const divideByBoth: DivideStems = (spectrogram, magnitude, planes, report) => {
  const shares = divideAtOnce(spectrogram, magnitude, planes, (part) => report(0.4 * part));
  const others = divideVoiceFirst(spectrogram, magnitude, planes, (part) => report(0.4 + 0.6 * part));
  for (const name of ['vocals', 'drums', 'bass'] as const) {
    const [share, other] = [shares[name], others[name]];
    for (let i = 0; i < share.length; i++) {
      share[i] = (1 - voiceFirstWeight) * (share[i] as number) + voiceFirstWeight * (other[i] as number);
    }
    planes.give(other);
  }
  return shares;
};
