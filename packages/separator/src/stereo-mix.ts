import type { Stereo } from './backends/backend.ts';

const half = Math.SQRT1_2;

/**
 * Gains [left, right] of each audio channel, in the order of WAV and FLAC files, by the number of channels.
 * The low-frequency channel is left out, as the recommendation does.
 *
 * @see ITU-R BS.775-3, annex 4, table 2 (downward mixing to 2/0)
 */
const gains: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[1, 1]],
  2: [
    [1, 0],
    [0, 1],
  ],
  3: [
    [1, 0],
    [0, 1],
    [half, half],
  ],
  4: [
    [1, 0],
    [0, 1],
    [half, 0],
    [0, half],
  ],
  5: [
    [1, 0],
    [0, 1],
    [half, half],
    [half, 0],
    [0, half],
  ],
  6: [
    [1, 0],
    [0, 1],
    [half, half],
    [0, 0],
    [half, 0],
    [0, half],
  ],
  7: [
    [1, 0],
    [0, 1],
    [half, half],
    [0, 0],
    [0.5, 0.5],
    [half, 0],
    [0, half],
  ],
  8: [
    [1, 0],
    [0, 1],
    [half, half],
    [0, 0],
    [half, 0],
    [0, half],
    [half, 0],
    [0, half],
  ],
};

/**
 * Makes blocks of one to eight audio channels stereo: one becomes both sides, two stay as they are, more are
 * mixed by {@link gains}, which may exceed full scale as floats can.
 */
export function createStereoMix(audioChannels: number): (block: readonly Float32Array[]) => Stereo {
  const table = gains[audioChannels];
  if (table === undefined) throw new RangeError(`audio channels must be 1 to 8 (got ${audioChannels})`);
  return (block) => {
    const [first, second] = block as [Float32Array, Float32Array | undefined];
    if (audioChannels === 1) return { left: first, right: first };
    if (audioChannels === 2) return { left: first, right: second as Float32Array };
    const left = new Float32Array(first.length);
    const right = new Float32Array(first.length);
    for (const [i, samples] of block.entries()) {
      const [toLeft, toRight] = table[i] as readonly [number, number];
      for (let n = 0; n < samples.length; n++) {
        const sample = samples[n] as number;
        left[n] = (left[n] as number) + toLeft * sample;
        right[n] = (right[n] as number) + toRight * sample;
      }
    }
    return { left, right };
  };
}
