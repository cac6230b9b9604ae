const HALF_POWER = Math.SQRT1_2;

/** Weight of each audio channel in left and right, by number of audio channels, in the order of WAV and FLAC. */
const MATRICES: Record<number, readonly (readonly [left: number, right: number])[]> = {
  // left, right, centre
  3: [
    [1, 0],
    [0, 1],
    [HALF_POWER, HALF_POWER],
  ],
  // front and back pairs
  4: [
    [1, 0],
    [0, 1],
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ],
  // left, right, centre, surround pair
  5: [
    [1, 0],
    [0, 1],
    [HALF_POWER, HALF_POWER],
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ],
  // left, right, centre, low-frequency effects, surround pair
  6: [
    [1, 0],
    [0, 1],
    [HALF_POWER, HALF_POWER],
    [0, 0],
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ],
  // … back centre, surround pair
  7: [
    [1, 0],
    [0, 1],
    [HALF_POWER, HALF_POWER],
    [0, 0],
    [0.5, 0.5],
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ],
  // … back pair, surround pair
  8: [
    [1, 0],
    [0, 1],
    [HALF_POWER, HALF_POWER],
    [0, 0],
    [HALF_POWER, 0],
    [0, HALF_POWER],
    [HALF_POWER, 0],
    [0, HALF_POWER],
  ],
};

/**
 * Mixes a block of 1 to 8 audio channels to stereo.
 *
 * Mono becomes two equal channels, stereo is returned unchanged (the same arrays). With more channels, centre and
 * surround are added at −3 dB and low-frequency effects are dropped; the result is scaled by the sum of the weights, so
 * that full scale in every audio channel cannot clip.
 * @throws RangeError for 0 or more than 8 audio channels
 * @see ITU-R BS.775-4, table 2
 */
export function downmixToStereo(block: Float32Array[]): [Float32Array, Float32Array] {
  const [first, second] = block;
  if (first !== undefined && block.length === 1) return [first, first.slice()];
  if (first !== undefined && second !== undefined && block.length === 2) return [first, second];
  const matrix = MATRICES[block.length];
  if (matrix === undefined || first === undefined) {
    throw new RangeError(`a block must have 1 to 8 audio channels (got ${block.length})`);
  }
  const scale = 1 / matrix.reduce((sum, [left]) => sum + left, 0);
  const left = new Float32Array(first.length);
  const right = new Float32Array(first.length);
  for (const [index, [toLeft, toRight]] of matrix.entries()) {
    const samples = block[index] ?? left;
    for (let frame = 0; frame < first.length; frame++) {
      const sample = (samples[frame] ?? 0) * scale;
      left[frame] = (left[frame] ?? 0) + sample * toLeft;
      right[frame] = (right[frame] ?? 0) + sample * toRight;
    }
  }
  return [left, right];
}
