/**
 * Complex Fourier transform of one size in plain arithmetic, for audio threads, where nothing may be loaded or
 * allocated.
 *
 * Input is in bit-reversed order. The caller has a loop over the input anyway, so the reordering costs nothing.
 */
export interface ComplexFft {
  readonly size: number;
  /** Input index of number n: its bits reversed. */
  readonly order: Uint16Array;
  /**
   * Transforms in place: X[k] = Σ x[n] · e^(−2πi·k·n/size), unscaled; x[n] is at `order[n]`, X[k] at k. Allocates
   * nothing.
   *
   * With real and imaginary parts exchanged on input and output, it is the inverse (times `size`).
   */
  transform(re: Float64Array, im: Float64Array): void;
}

/**
 * Creates a transform of `size` complex numbers.
 *
 * It runs two radix-2 stages at a time (radix 4), decimated in time, with the factors of each stage stored in the order
 * of use.
 *
 * @param size a power of two, 4 to 65,536
 * @throws RangeError for another size
 * @see Cooley and Tukey, "An algorithm for the machine calculation of complex Fourier series", 1965
 */
export function createComplexFft(size: number): ComplexFft {
  const bits = Math.log2(size);
  if (!Number.isInteger(bits) || bits < 2 || bits > 16) {
    throw new RangeError(`a transform size must be a power of two, 4 to 65,536 (got ${size})`);
  }
  const order = new Uint16Array(size);
  for (let n = 1; n < size; n++) order[n] = (order[n >> 1]! >> 1) | (n & 1 ? size >> 1 : 0);
  // An odd number of stages begins with one of radix 2.
  const first = bits % 2 === 0 ? 1 : 2;
  const begin = first === 2 ? 2 : 4;
  const factors = factorsOf(size, begin);
  return {
    size,
    order,
    transform(re, im) {
      if (first === 2) pairs(re, im, size);
      else firstFours(re, im, size);
      let at = 0;
      for (let quarter = begin; quarter < size; quarter *= 4) {
        fours(re, im, size, quarter, factors, at);
        at += 6 * quarter;
      }
    },
  };
}

/** Returns w^k, w^2k, w^3k with w = e^(−2πi/length), for each stage and each k below a quarter of its length. */
function factorsOf(size: number, first: number): Float64Array {
  let count = 0;
  for (let quarter = first; quarter < size; quarter *= 4) count += 6 * quarter;
  const factors = new Float64Array(count);
  let at = 0;
  for (let quarter = first; quarter < size; quarter *= 4) {
    for (let k = 0; k < quarter; k++) {
      for (const power of [1, 2, 3]) {
        const angle = (-2 * Math.PI * power * k) / (4 * quarter);
        factors[at++] = Math.cos(angle);
        factors[at++] = Math.sin(angle);
      }
    }
  }
  return factors;
}

function pairs(re: Float64Array, im: Float64Array, size: number): void {
  for (let a = 0; a < size; a += 2) {
    const r = re[a + 1]!;
    const i = im[a + 1]!;
    re[a + 1] = re[a]! - r;
    im[a + 1] = im[a]! - i;
    re[a] = re[a]! + r;
    im[a] = im[a]! + i;
  }
}

/** Combines groups of four numbers, whose factors are all 1. */
function firstFours(re: Float64Array, im: Float64Array, size: number): void {
  for (let a = 0; a < size; a += 4) {
    const sumR = re[a]! + re[a + 1]!;
    const sumI = im[a]! + im[a + 1]!;
    const gapR = re[a]! - re[a + 1]!;
    const gapI = im[a]! - im[a + 1]!;
    const farR = re[a + 2]! + re[a + 3]!;
    const farI = im[a + 2]! + im[a + 3]!;
    const rotatedR = re[a + 2]! - re[a + 3]!;
    const rotatedI = im[a + 2]! - im[a + 3]!;
    re[a] = sumR + farR;
    im[a] = sumI + farI;
    re[a + 1] = gapR + rotatedI;
    im[a + 1] = gapI - rotatedR;
    re[a + 2] = sumR - farR;
    im[a + 2] = sumI - farI;
    re[a + 3] = gapR - rotatedI;
    im[a + 3] = gapI + rotatedR;
  }
}

/** Combines groups of four transforms of `quarter` numbers. Bit reversal has swapped the second and the third. */
function fours(
  re: Float64Array,
  im: Float64Array,
  size: number,
  quarter: number,
  factors: Float64Array,
  from: number,
): void {
  for (let base = 0; base < size; base += 4 * quarter) {
    let at = from;
    for (let a = base; a < base + quarter; a++, at += 6) {
      const b = a + quarter;
      const c = b + quarter;
      const d = c + quarter;
      const w1r = factors[at]!;
      const w1i = factors[at + 1]!;
      const w2r = factors[at + 2]!;
      const w2i = factors[at + 3]!;
      const w3r = factors[at + 4]!;
      const w3i = factors[at + 5]!;
      const br = re[b]! * w2r - im[b]! * w2i;
      const bi = re[b]! * w2i + im[b]! * w2r;
      const cr = re[c]! * w1r - im[c]! * w1i;
      const ci = re[c]! * w1i + im[c]! * w1r;
      const dr = re[d]! * w3r - im[d]! * w3i;
      const di = re[d]! * w3i + im[d]! * w3r;
      const sumR = re[a]! + br;
      const sumI = im[a]! + bi;
      const gapR = re[a]! - br;
      const gapI = im[a]! - bi;
      const farR = cr + dr;
      const farI = ci + di;
      const rotatedR = cr - dr;
      const rotatedI = ci - di;
      re[a] = sumR + farR;
      im[a] = sumI + farI;
      re[c] = sumR - farR;
      im[c] = sumI - farI;
      re[b] = gapR + rotatedI;
      im[b] = gapI - rotatedR;
      re[d] = gapR - rotatedI;
      im[d] = gapI + rotatedR;
    }
  }
}
