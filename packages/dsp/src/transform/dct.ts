/**
 * Creates a function for the first `coefficientCount` coefficients of the orthonormal DCT of type II.
 *
 * y[k] = √(2/N) · Σ x[n] · cos(π·k·(2n+1) / 2N), and y[0] by √(1/N).
 *
 * @param size N, number of inputs
 * @param coefficientCount number of outputs, at most `size`
 * @returns a function that fills `output` and allocates nothing
 * @see Ahmed, Natarajan and Rao, "Discrete cosine transform", IEEE Trans. Computers, 1974
 */
export function createDct(
  size: number,
  coefficientCount: number,
): (input: Float32Array, output: Float32Array) => void {
  if (coefficientCount < 1 || coefficientCount > size) {
    throw new RangeError(
      `a transform of ${size} numbers has 1 to ${size} coefficients (got ${coefficientCount})`,
    );
  }
  const basis = Float64Array.from({ length: coefficientCount * size }, (_, at) => {
    const k = Math.floor(at / size);
    const n = at % size;
    return Math.sqrt((k === 0 ? 1 : 2) / size) * Math.cos((Math.PI * k * (2 * n + 1)) / (2 * size));
  });
  return (input, output) => {
    for (let k = 0; k < coefficientCount; k++) {
      let sum = 0;
      for (let n = 0; n < size; n++) sum += (basis[k * size + n] ?? 0) * (input[n] ?? 0);
      output[k] = sum;
    }
  };
}
