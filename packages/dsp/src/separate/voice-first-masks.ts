import { createBassMask } from './bass-mask.ts';
import type { BufferPool } from './buffer-pool.ts';
import { createDrumMask } from './drum-mask.ts';
import { smoothStep } from './smooth-step.ts';
import type { EstimateMasks } from './stem-masks.ts';
import { binCount, binHz, type StereoSpectrogram } from './stereo-spectrogram.ts';
import { trackVocalMelody } from './voice-melody.ts';
import { fitVoiceModel } from './voice-model.ts';
import { modelledBins } from './voice-shape.ts';

/** Suppression of energy outside the centre. */
const sideWeight = 5;
const lowestVoiceHz = { from: 80, to: 160 } as const;

/**
 * Estimates the vocals first, and drums and bass from the remainder.
 *
 * The melody is tracked, and each frame is modelled as harmonics of the voice and an accompaniment of few spectra.
 *
 * ```
 * repeating background → melody → voice model ⟷ accompaniment → vocals
 *                                             → remainder → percussive? low pitch? → drums, bass
 * ```
 *
 * Mono audio is separated by melody and repetition alone.
 */
export const estimateMasksVoiceFirst: EstimateMasks = (spectrogram, magnitude, pool, report) => {
  const vocals = createMelodyMask(spectrogram, magnitude, pool, report);
  report(0.7);
  const remainder = pool.acquire(magnitude.length);
  for (let i = 0; i < remainder.length; i++) {
    remainder[i] = (magnitude[i] as number) * (1 - (vocals[i] as number));
  }
  const drums = createDrumMask(remainder, pool);
  report(0.9);
  const bass = createBassMask(remainder, drums, pool);
  for (let i = 0; i < remainder.length; i++) {
    const rest = 1 - (vocals[i] as number);
    drums[i] = rest * (drums[i] as number);
    bass[i] = rest * (bass[i] as number);
  }
  pool.release(remainder);
  report(1);
  return { vocals, drums, bass };
};

/** Returns the mask of the vocals, an array of the pool. */
function createMelodyMask(
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
  report(0.3);
  const modelled = fitVoiceModel(centre, background, pitchHz, pool);
  report(0.6);
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
  return mask;
}
