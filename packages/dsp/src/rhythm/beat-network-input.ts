/** Sample rate of the input of the beat network, in Hz. */
export const BEAT_NETWORK_RATE = 22_050;
/** Samples between frames of the beat network. */
export const BEAT_NETWORK_HOP = 441;
/** Frames of the beat network per second. */
export const BEAT_FRAME_RATE = BEAT_NETWORK_RATE / BEAT_NETWORK_HOP;
/** Samples in a frame. */
export const BEAT_FRAME_SIZE = 1_411;
/** Size of the transform from which the bins are interpolated. */
export const BEAT_FFT_SIZE = 2_048;
/** Bins of a frame: multiples of 1 / 1411 of the sample rate, from 0. */
export const BEAT_BINS = 705;
/** Transformed bins from which a bin is interpolated. */
export const BEAT_TAPS = 12;

const BANDS_PER_OCTAVE = 24;
const REFERENCE_HZ = 440;
const MIN_HZ = 30;
const MAX_HZ = 17_000;
/** Shape of the Kaiser window of the interpolation: 12 taps then attenuate images by 70 dB. */
const KAISER = 7.5;

/** Bins of a band and their weights. */
export interface BeatBand {
  readonly start: number;
  readonly weights: readonly number[];
}

/**
 * Returns the bands of the beat network: triangles, 24 an octave from 30 Hz to 17 kHz around 440 Hz, each with sum 1.
 *
 * Bands between the same bins count once, and those above the Nyquist frequency are missing: 136 are left.
 */
export function beatBands(): BeatBand[] {
  // The network was trained with bins that are taken to be 1 / 1410 of the sample rate apart.
  const spacingHz = BEAT_NETWORK_RATE / (2 * BEAT_BINS);
  const bins = new Set<number>();
  const first = Math.ceil(Math.log2(MIN_HZ / REFERENCE_HZ) * BANDS_PER_OCTAVE);
  const last = Math.floor(Math.log2(MAX_HZ / REFERENCE_HZ) * BANDS_PER_OCTAVE);
  for (let step = first; step <= last; step++) {
    const position = (REFERENCE_HZ * 2 ** (step / BANDS_PER_OCTAVE)) / spacingHz;
    const upper = Math.min(BEAT_BINS - 1, Math.max(1, Math.ceil(position)));
    bins.add(position - (upper - 1) < upper - position ? upper - 1 : upper);
  }
  const edges = [...bins];
  return edges.slice(0, -2).map((start, index) => {
    const centre = edges[index + 1] ?? start;
    const stop = edges[index + 2] ?? start;
    const heights = Array.from({ length: stop - start }, (_, at) =>
      start + at < centre ? at / (centre - start) : 1 - (start + at - centre) / (stop - centre),
    );
    const sum = heights.reduce((total, height) => total + height, 0);
    return { start, weights: heights.map((height) => height / sum) };
  });
}

/** A bin as a weighted sum of bins of the transform; `start` may be negative and the sum may pass the last bin. */
export interface InterpolatedBin {
  readonly start: number;
  readonly weights: readonly number[];
}

/**
 * Returns how to compute the bins of a frame of 1,411 samples from a transform of 2,048 samples.
 *
 * 1411 is no size of a fast transform. A frame around sample 0 with zeros up to 2,048 samples has a spectrum between
 * whose bins a windowed sinc interpolates, because the frame is much shorter than the transform.
 *
 * @see Smith, "Spectral Audio Signal Processing", 2011, "Zero padding" and "Ideal spectral interpolation"
 */
export function interpolatedBins(): InterpolatedBin[] {
  return Array.from({ length: BEAT_BINS }, (_, bin) => {
    const position = (bin * BEAT_FFT_SIZE) / BEAT_FRAME_SIZE;
    const start = Math.floor(position) - BEAT_TAPS / 2 + 1;
    const weights = Array.from({ length: BEAT_TAPS }, (_, tap) => {
      const distance = start + tap - position;
      const window = Math.sqrt(Math.max(0, 1 - (distance / (BEAT_TAPS / 2)) ** 2));
      return (sinc(distance) * bessel(KAISER * window)) / bessel(KAISER);
    });
    return { start, weights };
  });
}

function sinc(x: number): number {
  return Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Modified Bessel function of the first kind of order 0. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
