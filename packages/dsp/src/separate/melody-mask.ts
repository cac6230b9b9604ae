import type { BufferPool } from './buffer-pool.ts';
import { smoothStep } from './smooth-step.ts';
import { binCount, binHz, type StereoSpectrogram } from './stereo-spectrogram.ts';
import { trackVocalMelody } from './voice-melody.ts';
import { fitVoiceModel } from './voice-model.ts';
import { modelledBins } from './voice-shape.ts';

/** Suppression of energy outside the centre. */
const sideWeight = 5;
const lowestVoiceHz = { from: 80, to: 160 } as const;

/**
 * Returns the mask of a voice that follows the most salient melody, {@link binCount} values per frame, an array of the
 * pool. Nothing is learned.
 *
 * ```
 * repeating background → melody → voice model ⟷ accompaniment → mask
 * ```
 *
 * @param magnitude of both audio channels, {@link binCount} values per frame
 */
export function createMelodyMask(
  { leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram,
  magnitude: Float32Array,
  pool: BufferPool,
  report: (part: number) => void,
): Float32Array {
  const centre = pool.acquire(magnitude.length);
  for (let i = 0; i < centre.length; i++) {
    const re = (leftRe[i] as number) + (rightRe[i] as number);
    const im = (leftIm[i] as number) + (rightIm[i] as number);
    centre[i] = Math.sqrt(0.5 * (re * re + im * im));
  }
  const { pitchHz, presence, background } = trackVocalMelody(magnitude, centre, pool);
  report(0.5);
  const modelled = fitVoiceModel(centre, background, pitchHz, pool);
  const mask = pool.acquire(magnitude.length);
  const low = Float32Array.from({ length: modelledBins }, (_, k) =>
    smoothStep(k * binHz, lowestVoiceHz.from, lowestVoiceHz.to),
  );
  for (let t = 0; t < pitchHz.length; t++) {
    for (let k = 0; k < modelledBins; k++) {
      const at = t * binCount + k;
      const centrePower = (centre[at] as number) ** 2;
      const sidePower = Math.max(0, (magnitude[at] as number) ** 2 - centrePower);
      const central = centrePower / (centrePower + sideWeight * sidePower + 1e-12);
      mask[at] =
        (presence[t] as number) * (modelled[t * modelledBins + k] as number) * central * (low[k] as number);
    }
  }
  pool.release(centre, background, modelled);
  report(1);
  return mask;
}
