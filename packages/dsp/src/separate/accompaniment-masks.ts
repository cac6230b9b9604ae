import { createBassMask } from './bass-mask.ts';
import type { BufferPool } from './buffer-pool.ts';
import { createDrumMask } from './drum-mask.ts';

/** Masks of two stems of the accompaniment, 0 to 1 for each bin; the third has the rest. Arrays of the pool. */
export interface AccompanimentMasks {
  readonly drums: Float32Array;
  readonly bass: Float32Array;
}

/**
 * Estimates drums and bass in music without a voice.
 *
 * ```
 * percussive? (medians, recurring onsets) → low pitch? (bass line and its harmonics) → drums, bass
 * ```
 *
 * @param magnitude of both audio channels, `binCount` values per frame
 */
export function estimateAccompanimentMasks(
  magnitude: Float32Array,
  pool: BufferPool,
  report: (part: number) => void,
): AccompanimentMasks {
  const drums = createDrumMask(magnitude, pool);
  report(0.8);
  const bass = createBassMask(magnitude, drums, pool);
  report(1);
  return { drums, bass };
}
