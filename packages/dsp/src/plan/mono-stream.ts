import { createResampler } from '../signal/resample.ts';

/** Largest valid sample; larger ones are replaced by 0, so that squares stay finite. */
const LARGEST = 1e6;

/** Converts audio of any sample rate and channel count to mono of one rate, block by block. */
export interface MonoStream {
  /** Replaces invalid samples by 0. The returned arrays are overwritten by the next call. */
  clean(block: readonly Float32Array[]): Float32Array[];
  /** Returns the mean of the audio channels of a cleaned block at the new rate, as far as it is ready. */
  push(block: readonly Float32Array[]): Float32Array;
  /** Returns the remaining samples at the end. */
  flush(): Float32Array;
}

/**
 * Creates the conversion: samples → finite samples → mean of the audio channels → resampling.
 *
 * NaN and infinity become 0, so that one bad sample does not make a whole analysis NaN.
 */
export function createMonoStream(options: {
  fromRate: number;
  toRate: number;
  channels: number;
}): MonoStream {
  const { fromRate, toRate, channels } = options;
  // The fast filter aliases above 9.9 kHz, where no feature needs precision.
  const resampler = createResampler({ fromRate, toRate, channels: 1, quality: 'fast' });
  let cleaned = Array.from({ length: channels }, () => new Float32Array(0));
  return {
    clean(block) {
      const length = block[0]?.length ?? 0;
      if ((cleaned[0]?.length ?? 0) !== length) cleaned = cleaned.map(() => new Float32Array(length));
      for (const [index, target] of cleaned.entries()) {
        const source = block[index];
        for (let at = 0; at < length; at++) {
          const value = source?.[at] ?? 0;
          // A comparison with NaN is always false.
          target[at] = Math.abs(value) <= LARGEST ? value : 0;
        }
      }
      return cleaned;
    },
    push(block) {
      const mono = new Float32Array(block[0]?.length ?? 0);
      for (const samples of block) {
        for (let at = 0; at < mono.length; at++) mono[at] = (mono[at] ?? 0) + (samples[at] ?? 0) / channels;
      }
      return resampler.process([mono])[0] ?? new Float32Array(0);
    },
    flush: () => resampler.flush()[0] ?? new Float32Array(0),
  };
}
