import { besselI0 } from '../signal/resample-kernel.ts';
import { createComplexFft } from '../transform/complex-fft.ts';

/** Stopband attenuation of the filters that split the bands, in dB. */
const ATTENUATION_DB = 96;

/** Crossover between two bands: both pass half at `hz`, and only one passes anything beyond `widthHz` / 2 from it. */
export interface BandEdge {
  readonly hz: number;
  readonly widthHz: number;
}

/**
 * Returns the gain of each bin for each band of a stretcher.
 *
 * The bands are overlapped and added under periodic Hann windows with a hop of a quarter window. Without stretching
 * they sum to the input.
 *
 * A gain on the bins of windowed frames is a filter whose impulse response is multiplied by the autocorrelation of the
 * window. The gains compensate for that, for the window of each band.
 *
 * @param sizes samples in a frame of each band, from the lowest band on
 * @param edges crossovers, one fewer than bands
 * @returns size / 2 + 1 gains for each band
 */
export function bandGains(
  sizes: readonly number[],
  edges: readonly BandEdge[],
  sampleRateHz: number,
): Float64Array[] {
  const lowpasses = edges.map((edge) => lowpassKernel(edge, sampleRateHz));
  return sizes.map((size, band) => {
    const below = band === sizes.length - 1 ? Float64Array.of(1) : (lowpasses[band] ?? Float64Array.of(1));
    const lower = lowpasses[band - 1] ?? new Float64Array(1);
    const length = Math.max(below.length, lower.length);
    const fft = createComplexFft(size);
    const re = new Float64Array(size);
    for (let lag = 0; lag < length; lag++) {
      const overlap = (2 + Math.cos((2 * Math.PI * lag) / size)) / 3;
      const value = ((below[lag] ?? 0) - (lower[lag] ?? 0)) / overlap;
      re[fft.order[lag]!] = value;
      re[fft.order[(size - lag) % size]!] = value;
    }
    // The kernel is symmetrical about its centre, so its transform is real.
    fft.transform(re, new Float64Array(size));
    return re.slice(0, size / 2 + 1);
  });
}

/** Returns half of a symmetrical low-pass kernel, from its centre on; the whole kernel sums to 1. */
function lowpassKernel({ hz, widthHz }: BandEdge, sampleRateHz: number): Float64Array {
  const half = Math.ceil((ATTENUATION_DB - 7.95) / ((14.36 * widthHz) / sampleRateHz) / 2);
  const beta = 0.1102 * (ATTENUATION_DB - 8.7);
  const kernel = Float64Array.from({ length: half + 1 }, (_, lag) => {
    const angle = (2 * Math.PI * hz * lag) / sampleRateHz;
    return (angle === 0 ? 1 : Math.sin(angle) / angle) * besselI0(beta * Math.sqrt(1 - (lag / half) ** 2));
  });
  const sum = kernel.reduce((total, value, lag) => total + (lag === 0 ? value : 2 * value), 0);
  return kernel.map((value) => value / sum);
}
