/**
 * An in-place complex FFT of a power-of-two size, radix 2, decimation in time.
 *
 * @see Cooley and Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series (1965)
 */
export function createComplexFft(size: number): (re: Float64Array, im: Float64Array) => void {
  const bits = Math.log2(size);
  if (!Number.isInteger(bits)) throw new RangeError(`an FFT size must be a power of two (got ${size})`);
  const cosines = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size));
  const reversed = new Uint32Array(size);
  for (let i = 1; i < size; i++) {
    reversed[i] = ((reversed[i >> 1] as number) >> 1) | ((i & 1) << (bits - 1));
  }
  return (re, im) => {
    for (let i = 0; i < size; i++) {
      const j = reversed[i] as number;
      if (j <= i) continue;
      const r = re[i] as number;
      re[i] = re[j] as number;
      re[j] = r;
      const m = im[i] as number;
      im[i] = im[j] as number;
      im[j] = m;
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const c = cosines[k * stride] as number;
          const s = sines[k * stride] as number;
          const a = start + k;
          const b = a + half;
          const r = (re[b] as number) * c - (im[b] as number) * s;
          const m = (re[b] as number) * s + (im[b] as number) * c;
          re[b] = (re[a] as number) - r;
          im[b] = (im[a] as number) - m;
          re[a] = (re[a] as number) + r;
          im[a] = (im[a] as number) + m;
        }
      }
    }
  };
}
