import { createResampler } from '../signal/resample.ts';

/** Beyond this a sample is no sound but a mistake; its square must stay finite. */
const LARGEST = 1e6;

/** Turns sound of any rate and number of audio channels into mono of one rate, block by block. */
export interface MonoStream {
  /** The same samples without what is not a finite number; the arrays are overwritten by the next call. */
  clean(block: readonly Float32Array[]): Float32Array[];
  /** The mean of the audio channels of a cleaned block, at the new rate, as far as it is ready. */
  push(block: readonly Float32Array[]): Float32Array;
  /** What is still to come at the end. */
  flush(): Float32Array;
}

/**
 * Cleans, mixes to mono and resamples: samples → finite samples → mean of the audio channels → new rate.
 *
 * NaN and infinity become 0, so that one bad sample does not make a whole analysis NaN.
 */
export function createMonoStream(options: {
  fromRate: number;
  toRate: number;
  channels: number;
}): MonoStream {
  const { fromRate, toRate, channels } = options;
  // What the fast filter folds lies above 9.9 kHz, where no feature looks closely.
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
          // A comparison with NaN is never true.
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
