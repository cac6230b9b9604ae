import { bassShare } from './bass-share.ts';
import { drumShare } from './drum-share.ts';
import type { FourStemSeparator } from './four-stems.ts';
import { createPlaneLender, type PlaneLender } from './planes.ts';
import { smoothStep } from './smooth-step.ts';
import {
  binCount,
  binHz,
  createSpectrogramTransform,
  type StereoSpectrogram,
  writeMagnitude,
} from './stereo-spectrogram.ts';
import { followVoice } from './voice-melody.ts';
import { fitVoiceModel } from './voice-model.ts';
import { modelledBins } from './voice-shape.ts';

/** How sharply what is not in the middle is turned down in the voice. */
const sideWeight = 5;
const lowestVoiceHz = { from: 80, to: 160 } as const;

/**
 * The method that begins with the voice: its melody is followed, each frame is explained as a sung comb over an
 * accompaniment of few spectra, and the voice is taken out; drums and bass are then looked for in what remains,
 * where no singer hides them any more.
 *
 * ```
 * spectrogram → what repeats → melody → voice model ⟷ accompaniment → voice
 *             → the remainder → struck? low pitch? → drums, bass (and other, which is left)
 * ```
 *
 * A mono sound is all middle, and is divided by melody and repetition alone.
 */
export async function createVoiceFirstSeparator(): Promise<FourStemSeparator> {
  const transform = await createSpectrogramTransform();
  const planes = createPlaneLender();
  return {
    separate(left, right, report = () => {}) {
      if (left.length !== right.length) {
        throw new RangeError(`both sides must have one length (got ${left.length} and ${right.length})`);
      }
      const spectrogram = transform.analyse(left, right, planes);
      const magnitude = planes.take(spectrogram.leftRe.length);
      writeMagnitude(spectrogram, magnitude);
      report(0.05);
      const vocals = voiceShareOf(spectrogram, magnitude, planes, report);
      for (let i = 0; i < magnitude.length; i++) {
        magnitude[i] = (magnitude[i] as number) * (1 - (vocals[i] as number));
      }
      const drums = drumShare(magnitude, planes);
      report(0.85);
      const bass = bassShare(magnitude, drums, planes);
      for (let i = 0; i < magnitude.length; i++) {
        const rest = 1 - (vocals[i] as number);
        drums[i] = rest * (drums[i] as number);
        bass[i] = rest * (bass[i] as number);
      }
      report(0.9);
      const stems = {
        vocals: transform.synthesise(spectrogram, vocals),
        drums: transform.synthesise(spectrogram, drums),
        bass: transform.synthesise(spectrogram, bass),
      };
      planes.give(magnitude, vocals, drums, bass);
      planes.give(spectrogram.leftRe, spectrogram.leftIm, spectrogram.rightRe, spectrogram.rightIm);
      report(1);
      return stems;
    },
  };
}

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
  report(0.35);
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
