import { spectraProgram } from '../transform/spectra-program.ts';

/**
 * Returns the fraction of neighbouring samples of which exactly one is negative, 0 to 1.
 *
 * @param samples at most 8,192
 * @see https://librosa.org/doc/latest/generated/librosa.feature.zero_crossing_rate.html
 */
export function zeroCrossingRate(samples: Float32Array): number {
  const { frame, calls } = spectraProgram();
  // A frame of a spectrum is already there.
  if (samples.byteOffset !== frame.byteOffset || samples.buffer !== frame.buffer) frame.set(samples);
  return samples.length === 0 ? 0 : calls.crossings(samples.length) / samples.length;
}
