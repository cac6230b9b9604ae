import {
  createPowerSpectra,
  type PowerSpectrum,
  type PowerSpectrumListener,
} from '../transform/power-spectra.ts';
import { hannWindow } from '../transform/window.ts';
import { createColumnMeans } from './column-means.ts';
import { createMfccKernel } from './mfcc.ts';
import { measureSpectralShape } from './spectral.ts';
import { CONTRAST_BANDS, createSpectralContrast } from './spectral-contrast.ts';
import { zeroCrossingRate } from './zero-crossings.ts';

/** Samples in a frame. */
export const SPECTRAL_FRAME = 2_048;
/** Samples between frames. */
export const SPECTRAL_HOP = 512;
/** Hops per column. */
const HOPS_PER_COLUMN = 4;

/** Timbre over time with one column per 2,048 samples; all empty where the shape is not requested. */
export interface SpectralColumns {
  /** Hz, the mean of the column's four frames, as are the next three. */
  readonly centroidHz: readonly number[];
  readonly bandwidthHz: readonly number[];
  readonly rolloffHz: readonly number[];
  readonly zeroCrossingRate: readonly number[];
  /** dB in each of the seven bands, of the column's first frame. */
  readonly contrastDb: readonly Float32Array[];
}

/** Means over a track, of frames of 2,048 samples every 512; 0 for an empty track. */
export interface SpectralMeans {
  readonly centroidHz: number;
  readonly bandwidthHz: number;
  readonly rolloffHz: number;
  /** dB in each of the seven bands; measured on every fourth frame. */
  readonly contrastDb: readonly number[];
  readonly zeroCrossingRate: number;
  /** Thirteen coefficients per column of 2,048 samples (the mean of its four frames); empty where not requested. */
  readonly mfcc: readonly Float32Array[];
  /** The other features by column. */
  readonly columns: SpectralColumns;
}

/** Measures the timbre of a stream of samples. */
export interface SpectralTrackKernel {
  /** Adds the next samples. */
  push(block: Float32Array): void;
  /** Returns the means of all samples. */
  finish(): SpectralMeans;
  /** Frees the memory of the transform. */
  dispose(): void;
}

/**
 * Creates the timbre measurement; memory grows only with the number of columns.
 *
 * samples → frames of 2,048 every 512 → Hann window → magnitude → shape, contrast, coefficients → means of columns and
 * in total. `loadFft` must have finished.
 *
 * @param options.sampleRate sample rate in Hz
 * @param options.shape whether to measure everything but the coefficients
 * @param options.mfcc whether to measure the coefficients
 * @param options.onSpectrum receives each spectrum, so that others need not compute the same
 */
export function createSpectralTrackKernel(options: {
  sampleRate: number;
  shape: boolean;
  mfcc: boolean;
  onSpectrum?: PowerSpectrumListener;
}): SpectralTrackKernel {
  const { sampleRate } = options;
  const spectra = createPowerSpectra({
    size: SPECTRAL_FRAME,
    hop: SPECTRAL_HOP,
    window: hannWindow(SPECTRAL_FRAME),
  });
  const measureContrast = createSpectralContrast(SPECTRAL_FRAME, sampleRate);
  const cepstrum = createMfccKernel({ sampleRate, fftSize: SPECTRAL_FRAME });
  const shape = { centroidHz: 0, bandwidthHz: 0, rolloffHz: 0 };
  const centroidHz = createColumnMeans(HOPS_PER_COLUMN);
  const bandwidthHz = createColumnMeans(HOPS_PER_COLUMN);
  const rolloffHz = createColumnMeans(HOPS_PER_COLUMN);
  const crossings = createColumnMeans(HOPS_PER_COLUMN);
  const contrastDb: Float32Array[] = [];
  const mfcc: Float32Array[] = [];
  let count = 0;

  const addShape = ({ magnitude, index, frame }: PowerSpectrum): void => {
    crossings.add(zeroCrossingRate(frame));
    measureSpectralShape(magnitude, sampleRate / SPECTRAL_FRAME, shape);
    centroidHz.add(shape.centroidHz);
    bandwidthHz.add(shape.bandwidthHz);
    rolloffHz.add(shape.rolloffHz);
    if (index % HOPS_PER_COLUMN !== 0) return;
    const contrast = new Float32Array(CONTRAST_BANDS);
    measureContrast(magnitude, contrast);
    contrastDb.push(contrast);
  };
  const onSpectrum = (spectrum: PowerSpectrum): void => {
    options.onSpectrum?.(spectrum);
    count = spectrum.index + 1;
    if (options.shape) addShape(spectrum);
    if (!options.mfcc) return;
    cepstrum.add(spectrum.power);
    if (count % HOPS_PER_COLUMN === 0) mfcc.push(cepstrum.take());
  };

  return {
    push: (block) => spectra.push(block, onSpectrum),
    finish() {
      spectra.finish(onSpectrum);
      if (options.mfcc && count % HOPS_PER_COLUMN !== 0) mfcc.push(cepstrum.take());
      const [centroid, bandwidth, rolloff] = [centroidHz.finish(), bandwidthHz.finish(), rolloffHz.finish()];
      const crossed = crossings.finish();
      return {
        centroidHz: centroid.whole,
        bandwidthHz: bandwidth.whole,
        rolloffHz: rolloff.whole,
        zeroCrossingRate: crossed.whole,
        contrastDb: meansOfBands(contrastDb),
        mfcc,
        columns: {
          centroidHz: centroid.columns,
          bandwidthHz: bandwidth.columns,
          rolloffHz: rolloff.columns,
          zeroCrossingRate: crossed.columns,
          contrastDb,
        },
      };
    },
    dispose: () => spectra.dispose(),
  };
}

function meansOfBands(columns: readonly Float32Array[]): number[] {
  return Array.from({ length: CONTRAST_BANDS }, (_, band) => {
    const sum = columns.reduce((total, column) => total + (column[band] ?? 0), 0);
    return sum / Math.max(1, columns.length);
  });
}
