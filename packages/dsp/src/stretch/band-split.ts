import { besselI0 } from '../signal/resample-kernel.ts';
import { createComplexFft } from '../transform/complex-fft.ts';

/** Stopband of the filters that part the bands, in dB. */
const ATTENUATION_DB = 96;

/** Where two bands meet: half of each at `hz`; only one of them is heard `widthHz` / 2 above and below. */
export interface BandEdge {
  readonly hz: number;
  readonly widthHz: number;
}

/**
 * What each band of a stretcher passes, bin by bin, when all are overlapped and added under periodic Hann windows at a
 * quarter of their length: the bands of a sound that is not stretched add up to that sound.
 *
 * A gain on the bins of windowed pieces is a filter whose response is multiplied by how far the window overlaps
 * itself; that is undone here, each band having its own window.
 *
 * @param sizes samples in a piece of each band, from the lowest band on
 * @param edges where the bands meet, one fewer
 * @returns for each band size / 2 + 1 gains
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
    // The kernel is the same on both sides of its middle: what it passes is real.
    fft.transform(re, new Float64Array(size));
    return re.slice(0, size / 2 + 1);
  });
}

/** Half of a symmetrical low-pass, from its middle on; all of it sums to 1. */
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
