/** Converts a sample of full scale ±1 to an integer of a given width. */
export type Quantizer = (sample: number) => number;

/**
 * Creates a quantizer to `bits` bits: sample · 2^(bits−1), rounded to nearest and clipped to the integer's range.
 *
 * Without dither it is exact for samples that were integers of this width, so that 16-bit audio is restored bit for
 * bit. With dither, triangular noise of ±1 step is added first, which makes the rounding error independent of the
 * signal. The noise is the same in every run.
 * @see S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, "Quantization and dither", JAES 40 (1992)
 */
export function createQuantizer(bits: 16 | 24, dither = false): Quantizer {
  const scale = 2 ** (bits - 1);
  const noise = dither ? createTriangularNoise() : () => 0;
  return (sample) => {
    const rounded = Math.round(sample * scale + noise());
    if (rounded >= scale) return scale - 1;
    return rounded < -scale ? -scale : rounded || 0;
  };
}

/** Creates triangular noise between −1 and 1 from a fixed seed (xorshift32). */
function createTriangularNoise(): () => number {
  let state = 0x9e3779b9;
  const uniform = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return () => uniform() - uniform();
}
