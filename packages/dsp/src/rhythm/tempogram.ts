import { createRealFft } from '../transform/fft.ts';
import { hannWindow } from '../transform/window.ts';

const WINDOW_HOPS = 1024;
const STEP_HOPS = 128;

/** Autocorrelation of an onset curve in windows of 12 s every 1.5 s. */
export interface Tempogram {
  /** Hops between rows; row r is centred on hop r · step. */
  readonly stepHops: number;
  /**
   * Autocorrelation of each window, one value for each lag of 0 to `lagCount` − 1 hops; 1 at lag 0, all 0 in silence.
   */
  readonly rows: readonly Float32Array[];
  /** Mean of the rows, weighted by the energy of their windows. */
  readonly mean: Float32Array;
  readonly lagCount: number;
}

/**
 * Computes the autocorrelation tempogram of an onset curve.
 *
 * The mean of each window is subtracted, and the correlation divided by that of the window function at the same lag, so
 * that long lags are not at a disadvantage. `loadFft` must have finished.
 *
 * @param envelope onset strength, one value per hop
 * @param lagCount lags to compute, at most 512
 * @see Grosche, Müller and Kurth, "Cyclic tempogram: a mid-level tempo representation for music signals", ICASSP 2010
 */
export function tempogram(envelope: Float32Array, lagCount: number): Tempogram {
  if (!Number.isInteger(lagCount) || lagCount < 1 || lagCount > WINDOW_HOPS / 2) {
    throw new RangeError(`a tempogram has 1 to ${WINDOW_HOPS / 2} lags (got ${lagCount})`);
  }
  const fft = createRealFft(2 * WINDOW_HOPS);
  const window = hannWindow(WINDOW_HOPS).map(Math.sqrt);
  const re = new Float32Array(fft.binCount);
  const im = new Float32Array(fft.binCount);
  const piece = new Float32Array(2 * WINDOW_HOPS);
  const correlate = (): void => {
    fft.forward(piece, re, im);
    for (let bin = 0; bin < re.length; bin++) re[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    im.fill(0);
    fft.inverse(re, im, piece);
  };
  piece.set(window);
  correlate();
  const bias = piece.slice(0, lagCount);

  const rows: Float32Array[] = [];
  const mean = new Float32Array(lagCount);
  let total = 0;
  for (let centre = 0; centre < envelope.length; centre += STEP_HOPS) {
    // At the ends of the track the window moves inwards instead of containing silence.
    const start = Math.max(0, Math.min(centre - WINDOW_HOPS / 2, envelope.length - WINDOW_HOPS));
    const part = envelope.subarray(start, start + WINDOW_HOPS);
    const offset = part.reduce((sum, value) => sum + value, 0) / part.length;
    piece.fill(0);
    for (let at = 0; at < part.length; at++) piece[at] = ((part[at] ?? 0) - offset) * (window[at] ?? 0);
    correlate();
    const energy = piece[0] ?? 0;
    const row = new Float32Array(lagCount);
    if (energy > 1e-9) {
      const scale = (bias[0] ?? 1) / energy;
      for (let lag = 0; lag < lagCount; lag++) row[lag] = ((piece[lag] ?? 0) * scale) / (bias[lag] ?? 1);
    }
    rows.push(row);
    for (let lag = 0; lag < lagCount; lag++) mean[lag] = (mean[lag] ?? 0) + (row[lag] ?? 0) * energy;
    total += energy;
  }
  if (total > 0) for (let lag = 0; lag < lagCount; lag++) mean[lag] = (mean[lag] ?? 0) / total;
  fft.dispose();
  return { stepHops: STEP_HOPS, rows, mean, lagCount };
}
