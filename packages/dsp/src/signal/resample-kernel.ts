/** Filter of a resampler, tabulated by phase: row `p` contains `taps` coefficients for a position p/phases. */
export interface ResampleKernel {
  phases: number;
  /** Coefficients per row, an even number; the newer half lies after the output position. */
  taps: number;
  /** `(phases + 1) · taps` coefficients, row by row; the last row is the first, shifted by one sample. */
  table: Float64Array;
}

/** Edges of the filter as fractions of the lower of the two sample rates, and its stopband in dB. */
export interface ResampleQuality {
  passEdge: number;
  stopEdge: number;
  attenuationDb: number;
}

/**
 * Computes the modified Bessel function of the first kind, order 0, by its power series (x ≥ 0, to double precision).
 */
export function besselI0(x: number): number {
  const quarter = (x * x) / 4;
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

/**
 * Creates a Kaiser-windowed sinc in `phases` shifts of a fraction of an input sample.
 *
 * Every row is scaled to sum 1, so that a constant stays exactly constant.
 *
 * @param ratio output rate / input rate
 * @see J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974
 * @see J. O. Smith, "Digital Audio Resampling", CCRMA
 */
export function createResampleKernel(
  ratio: number,
  phases: number,
  quality: ResampleQuality,
): ResampleKernel {
  const { passEdge, stopEdge, attenuationDb } = quality;
  // All lengths below are in input samples: for a lower output rate, the filter gets longer and its cutoff lower.
  const scale = Math.min(1, ratio);
  const cutoff = ((passEdge + stopEdge) / 2) * scale;
  const halfWidth = (attenuationDb - 7.95) / (14.36 * (stopEdge - passEdge) * scale) / 2;
  const beta = 0.1102 * (attenuationDb - 8.7);
  const half = Math.ceil(halfWidth);
  const taps = half * 2;
  const table = new Float64Array((phases + 1) * taps);
  const norm = besselI0(beta);
  for (let phase = 0; phase <= phases; phase++) {
    const row = table.subarray(phase * taps, (phase + 1) * taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) {
      // Coefficient `tap` multiplies the input sample at floor(position) − half + 1 + tap.
      const distance = phase / phases + half - 1 - tap;
      const inside = 1 - (distance / halfWidth) ** 2;
      const window = inside <= 0 ? 0 : besselI0(beta * Math.sqrt(inside)) / norm;
      const angle = 2 * Math.PI * cutoff * distance;
      const value = (angle === 0 ? 1 : Math.sin(angle) / angle) * window;
      row[tap] = value;
      sum += value;
    }
    for (let tap = 0; tap < taps; tap++) row[tap] = (row[tap] ?? 0) / sum;
  }
  return { phases, taps, table };
}
