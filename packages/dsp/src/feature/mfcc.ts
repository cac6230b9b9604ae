import { createDct } from '../transform/dct.ts';
import { createMelFilterBank } from '../transform/mel.ts';
import { powerToDb } from '../units.ts';

/** Number of coefficients. */
export const MFCC_COUNT = 13;

const MEL_BANDS = 128;

/** Mel-frequency cepstral coefficients of several spectra together. */
export interface MfccKernel {
  /** Adds a power spectrum. */
  add(power: Float32Array): void;
  /** Returns the thirteen coefficients of the mean since the last call in a new array; 0 without spectra. */
  take(): Float32Array;
}

/**
 * Creates the MFCC of several spectra, as in librosa with `top_db=None`.
 *
 * power → 128 mel bands → dB (never below −100) → mean over the spectra → orthonormal cosine transform → the first 13.
 * The transform is linear: the mean of the decibels gives the mean of the coefficients.
 *
 * @param options.fftSize samples in a transform
 * @param options.sampleRate sample rate in Hz
 * @see Davis and Mermelstein, "Comparison of parametric representations for monosyllabic word recognition", IEEE Trans.
 *   ASSP 28, 1980
 * @see https://librosa.org/doc/latest/generated/librosa.feature.mfcc.html
 */
export function createMfccKernel(options: { sampleRate: number; fftSize: number }): MfccKernel {
  const bank = createMelFilterBank({ ...options, bandCount: MEL_BANDS });
  const dct = createDct(MEL_BANDS, MFCC_COUNT);
  const bands = new Float32Array(MEL_BANDS);
  const sum = new Float32Array(MEL_BANDS);
  let count = 0;
  return {
    add(power) {
      bank.apply(power, bands);
      for (let band = 0; band < MEL_BANDS; band++) sum[band] = (sum[band] ?? 0) + powerToDb(bands[band] ?? 0);
      count++;
    },
    take() {
      const coefficients = new Float32Array(MFCC_COUNT);
      if (count > 0) {
        dct(
          sum.map((value) => value / count),
          coefficients,
        );
      }
      sum.fill(0);
      count = 0;
      return coefficients;
    },
  };
}
