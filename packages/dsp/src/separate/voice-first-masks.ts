import { createBassMask } from './bass-mask.ts';
import { createDrumMask } from './drum-mask.ts';
import { createMelodyMask } from './melody-mask.ts';
import type { EstimateMasks } from './stem-masks.ts';

/**
 * Estimates the vocals first by rules alone, and drums and bass from the remainder, as inputs of the recipes below
 * `training/`.
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
  const vocals = createMelodyMask(spectrogram, magnitude, pool, (part) => report(0.7 * part));
  report(0.7);
  const remainder = pool.acquire(magnitude.length);
  for (let i = 0; i < remainder.length; i++) {
    remainder[i] = (magnitude[i] as number) * (1 - (vocals[i] as number));
  }
  const drums = createDrumMask(remainder, pool, 'drums');
  report(0.9);
  const bass = createBassMask(remainder, drums, pool, 'low');
  for (let i = 0; i < remainder.length; i++) {
    const rest = 1 - (vocals[i] as number);
    drums[i] = rest * (drums[i] as number);
    bass[i] = rest * (bass[i] as number);
  }
  pool.release(remainder);
  report(1);
  return { vocals, drums, bass };
};
