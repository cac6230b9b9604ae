/**
 * The periodic Hann window, 0.5 − 0.5·cos(2πn/size): shifted by a hop that divides half its size it sums to a constant.
 *
 * @param size samples, at least 1
 * @see Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform", Proc. IEEE 66, 1978
 */
export function hannWindow(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}

/**
 * The periodic sine window, the square root of the Hann window: used once before and once after a change of the
 * spectrum it makes a Hann window, so that overlapping frames sum to a constant.
 *
 * @param size samples, at least 1
 */
export function sineWindow(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, n) => Math.sin((Math.PI * n) / size));
}

/**
 * The symmetric Kaiser window I₀(β·√(1 − (2n/(size−1) − 1)²)) / I₀(β).
 *
 * @param size samples, at least 1; one sample gives 1
 * @param beta shape: 0 is a rectangle, 8.6 has side lobes about 90 dB down
 * @see Kaiser and Schafer, "On the use of the I0-sinh window for spectrum analysis", IEEE Trans. ASSP 28, 1980
 */
export function kaiserWindow(size: number, beta: number): Float32Array {
  const peak = besselI0(beta);
  return Float32Array.from({ length: size }, (_, n) => {
    const position = size > 1 ? (2 * n) / (size - 1) - 1 : 0;
    return besselI0(beta * Math.sqrt(Math.max(0, 1 - position * position))) / peak;
  });
}

/** The modified Bessel function of the first kind and order zero, by its power series Σ ((x/2)^k / k!)². */
export function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
