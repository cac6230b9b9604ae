import { createBassMask } from './bass-mask.ts';
import type { BufferPool } from './buffer-pool.ts';
import { createDrumMask } from './drum-mask.ts';
import type { StereoSpectrogram } from './stereo-spectrogram.ts';
import { voiceForeground } from './voice-foreground.ts';
import { createVoiceMask } from './voice-mask.ts';

/** Masks of three stems, 0 to 1 for each bin, frame by frame; the fourth stem has the rest. Arrays of the pool. */
export interface StemMasks {
  readonly vocals: Float32Array;
  readonly drums: Float32Array;
  readonly bass: Float32Array;
}

/** A method that estimates masks from a spectrogram and its magnitude. `report` receives the fraction done, 0 to 1. */
export type EstimateMasks = (
  spectrogram: StereoSpectrogram,
  magnitude: Float32Array,
  pool: BufferPool,
  report: (part: number) => void,
) => StemMasks;

/**
 * Estimates all masks independently of each other by rules alone, as inputs of the recipes below `training/`.
 *
 * ```
 * percussive? (medians, recurring onsets) → low pitch? (bass line) → centre, not repeating, sung melody?
 * ```
 */
export const estimateMasksAtOnce: EstimateMasks = (spectrogram, magnitude, pool, report) => {
  const drums = createDrumMask(magnitude, pool, 'drums');
  report(0.4);
  const bass = createBassMask(magnitude, drums, pool, 'low');
  report(0.5);
  const foreground = voiceForeground(spectrogram, magnitude, pool);
  report(0.75);
  const vocals = createVoiceMask(magnitude, drums, bass, foreground, pool);
  pool.release(foreground);
  report(1);
  return { vocals, drums, bass };
};
