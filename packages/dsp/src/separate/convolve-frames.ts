/** A dilated convolution over frames with a kernel of 1 or 3. */
export interface FrameLayer {
  /** Input values per frame. */
  readonly inputs: number;
  /** Output values per frame. */
  readonly outputs: number;
  /** Kernel size in frames. */
  readonly taps: 1 | 3;
  /** Dilation in frames. */
  readonly distance: number;
  /** Weights by output, then frame (earlier, same, later), then input. */
  readonly weights: Float64Array;
  readonly biases: Float64Array;
}

/** Frames and outputs computed together, so that each value read is used four times. */
const tile = 4;

/**
 * Applies a layer to zero-padded frames and returns `outputs` values per frame.
 *
 * @param input `inputs` values per frame
 * @param output receives the result, if given; its values are overwritten
 * @throws RangeError if the number of outputs is not a multiple of 4, or the input has another length
 */
export function convolveFrames(
  { inputs, outputs, taps, distance, weights, biases }: FrameLayer,
  input: Float64Array,
  frames: number,
  output: Float64Array = new Float64Array(outputs * frames),
): Float64Array {
  if (outputs % tile !== 0)
    throw new RangeError(`a layer must have a multiple of 4 outputs (got ${outputs})`);
  if (input.length !== inputs * frames) {
    throw new RangeError(`${frames} frames of ${inputs} values must be given (got ${input.length} values)`);
  }
  const seen = inputs * taps;
  const rows = Array.from({ length: tile }, () => new Float64Array(seen)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let t = 0; t < frames; t += tile) {
    for (const [i, row] of rows.entries()) gather(input, inputs, frames, t + i, taps, distance, row);
    for (let j = 0; j < outputs; j += tile) {
      multiplyTile(rows, weights, biases, seen, j, outputs, output, t, Math.min(tile, frames - t));
    }
  }
  return output;
}

/** Writes the receptive field of a frame. */
function gather(
  input: Float64Array,
  inputs: number,
  frames: number,
  t: number,
  taps: 1 | 3,
  distance: number,
  row: Float64Array,
): void {
  for (let tap = 0; tap < taps; tap++) {
    const at = taps === 1 ? t : t + (tap - 1) * distance;
    if (at < 0 || at >= frames) row.fill(0, tap * inputs, (tap + 1) * inputs);
    else row.set(input.subarray(at * inputs, (at + 1) * inputs), tap * inputs);
  }
}

/** Computes four outputs of four frames at once. */
function multiplyTile(
  [r0, r1, r2, r3]: readonly [Float64Array, Float64Array, Float64Array, Float64Array],
  weights: Float64Array,
  biases: Float64Array,
  seen: number,
  j: number,
  outputs: number,
  output: Float64Array,
  t: number,
  count: number,
): void {
  const w1 = (j + 1) * seen;
  const w2 = (j + 2) * seen;
  const w3 = (j + 3) * seen;
  let a0 = biases[j] as number;
  let a1 = biases[j + 1] as number;
  let a2 = biases[j + 2] as number;
  let a3 = biases[j + 3] as number;
  let [b0, b1, b2, b3] = [a0, a1, a2, a3];
  let [c0, c1, c2, c3] = [a0, a1, a2, a3];
  let [d0, d1, d2, d3] = [a0, a1, a2, a3];
  for (let i = 0, w0 = j * seen; i < seen; i++, w0++) {
    const p = weights[w0] as number;
    const q = weights[w1 + i] as number;
    const r = weights[w2 + i] as number;
    const s = weights[w3 + i] as number;
    const x0 = r0[i] as number;
    const x1 = r1[i] as number;
    const x2 = r2[i] as number;
    const x3 = r3[i] as number;
    a0 += x0 * p;
    a1 += x0 * q;
    a2 += x0 * r;
    a3 += x0 * s;
    b0 += x1 * p;
    b1 += x1 * q;
    b2 += x1 * r;
    b3 += x1 * s;
    c0 += x2 * p;
    c1 += x2 * q;
    c2 += x2 * r;
    c3 += x2 * s;
    d0 += x3 * p;
    d1 += x3 * q;
    d2 += x3 * r;
    d3 += x3 * s;
  }
  const sums = [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3];
  for (let i = 0; i < count; i++) {
    for (let o = 0; o < tile; o++) output[(t + i) * outputs + j + o] = sums[i * tile + o] as number;
  }
}
