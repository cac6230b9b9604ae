/**
 * Returns the periodic Hann window, 0.5 − 0.5·cos(2πn/size). Overlapped with a hop that divides half its size, it sums
 * to a constant.
 *
 * @param size samples, at least 1
 * @see Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform", Proc. IEEE 66, 1978
 */
export function hannWindow(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}
