import { createResampler } from '../signal/resample.ts';
import { sampleProgram } from '../signal/sample-program.ts';

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
  const { calls, blockSize, channels: inputs, mono: mixed } = sampleProgram();
  const [input] = inputs;
  let cleaned = Array.from({ length: channels }, () => new Float32Array(0));

  const mixOf = (block: readonly Float32Array[]): Float32Array => {
    const [left, right] = block;
    const mono = new Float32Array(left?.length ?? 0);
    if (!left || !right || channels > 2) {
      for (const samples of block) {
        for (let at = 0; at < mono.length; at++) mono[at] = (mono[at] ?? 0) + (samples[at] ?? 0) / channels;
      }
      return mono;
    }
    for (let at = 0; at < mono.length; at += blockSize) {
      const count = Math.min(blockSize, mono.length - at);
      for (const side of [0, 1] as const) inputs[side].set((block[side] ?? left).subarray(at, at + count));
      calls.mix(count);
      mono.set(mixed.subarray(0, count), at);
    }
    return mono;
  };

  return {
    clean(block) {
      const length = block[0]?.length ?? 0;
      if ((cleaned[0]?.length ?? 0) !== length) cleaned = cleaned.map(() => new Float32Array(length));
      for (const [index, target] of cleaned.entries()) {
        const source = block[index];
        if (!source) {
          target.fill(0);
          continue;
        }
        for (let at = 0; at < length; at += blockSize) {
          const samples = source.subarray(at, Math.min(at + blockSize, length));
          input.set(samples);
          calls.clean(0, samples.length, LARGEST);
          target.set(input.subarray(0, samples.length), at);
        }
      }
      return cleaned;
    },
    push(block) {
      return resampler.process([mixOf(block)])[0] ?? new Float32Array(0);
    },
    flush: () => resampler.flush()[0] ?? new Float32Array(0),
  };
}
