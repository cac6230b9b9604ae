import type { Stereo } from './stereo.ts';

/** Mean and standard deviation of a whole track, after mixing it to mono. */
export interface Level {
  readonly mean: number;
  /** Never 0. */
  readonly deviation: number;
}

/**
 * Measures the level of a track block by block.
 *
 * The standard deviation is that of a sample (n − 1), plus 1e-8 so that silence does not divide by 0.
 */
export function createLevelMeter(): { add(block: Stereo): void; level(): Level } {
  let count = 0;
  let sum = 0;
  let squares = 0;
  return {
    add({ left, right }) {
      count += left.length;
      for (let i = 0; i < left.length; i++) {
        const middle = ((left[i] as number) + (right[i] as number)) / 2;
        sum += middle;
        squares += middle * middle;
      }
    },
    level() {
      const mean = count === 0 ? 0 : sum / count;
      const variance = count < 2 ? 0 : Math.max(0, squares - count * mean * mean) / (count - 1);
      return { mean, deviation: Math.sqrt(variance) + 1e-8 };
    },
  };
}
