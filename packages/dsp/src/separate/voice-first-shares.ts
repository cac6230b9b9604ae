import { bassShare } from './bass-share.ts';
import { drumShare } from './drum-share.ts';
import type { PlaneLender } from './planes.ts';
import { smoothStep } from './smooth-step.ts';
import type { DivideStems } from './stem-shares.ts';
import { binCount, binHz, type StereoSpectrogram } from './stereo-spectrogram.ts';
import { followVoice } from './voice-melody.ts';
import { fitVoiceModel } from './voice-model.ts';
import { modelledBins } from './voice-shape.ts';

/** How sharply what is not in the middle is turned down in the voice. */
const sideWeight = 5;
const lowestVoiceHz = { from: 80, to: 160 } as const;

/**
 * Divides the voice off first: its melody is followed, each frame is explained as a sung comb over an accompaniment
 * of few spectra, and the voice is taken out; drums and bass are then looked for in what remains, where no singer
 * hides them any more.
 *
 * ```
 * what repeats → melody → voice model ⟷ accompaniment → voice
 *                                     → the remainder → struck? low pitch? → drums, bass
 * ```
 *
 * A mono sound is all middle, and is divided by melody and repetition alone.
 */
export const divideVoiceFirst: DivideStems = (spectrogram, magnitude, planes, report) => {
  const vocals = voiceShareOf(spectrogram, magnitude, planes, report);
  report(0.7);
  const remainder = planes.take(magnitude.length);
  for (let i = 0; i < remainder.length; i++) {
    remainder[i] = (magnitude[i] as number) * (1 - (vocals[i] as number));
  }
  const drums = drumShare(remainder, planes);
  report(0.9);
  const bass = bassShare(remainder, drums, planes);
  for (let i = 0; i < remainder.length; i++) {
    const rest = 1 - (vocals[i] as number);
    drums[i] = rest * (drums[i] as number);
    bass[i] = rest * (bass[i] as number);
  }
  planes.give(remainder);
  report(1);
  return { vocals, drums, bass };
};

/** The voice's share of each bin; lent. */
function voiceShareOf(
  { leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram,
  magnitude: Float32Array,
  planes: PlaneLender,
  report: (part: number) => void,
): Float32Array {
  const middle = planes.take(magnitude.length);
  for (let i = 0; i < middle.length; i++) {
    const re = (leftRe[i] as number) + (rightRe[i] as number);
    const im = (leftIm[i] as number) + (rightIm[i] as number);
    middle[i] = Math.sqrt(0.5 * (re * re + im * im));
  }
  const { pitchHz, presence, background } = followVoice(magnitude, middle, planes);
  report(0.3);
  const modelled = fitVoiceModel(middle, background, pitchHz, planes);
  report(0.6);
  const share = planes.take(magnitude.length);
  const low = Float32Array.from({ length: modelledBins }, (_, k) =>
    smoothStep(k * binHz, lowestVoiceHz.from, lowestVoiceHz.to),
  );
  for (let t = 0; t < pitchHz.length; t++) {
    for (let k = 0; k < modelledBins; k++) {
      const at = t * binCount + k;
      const inMiddle = (middle[at] as number) ** 2;
      const beside = Math.max(0, (magnitude[at] as number) ** 2 - inMiddle);
      const central = inMiddle / (inMiddle + sideWeight * beside + 1e-12);
      share[at] =
        (presence[t] as number) * (modelled[t * modelledBins + k] as number) * central * (low[k] as number);
    }
  }
  planes.give(middle, background, modelled);
  return share;
}
