import { createFramer } from '../transform/framer.ts';
import { createStft } from '../transform/stft.ts';
import { hannWindow } from '../transform/window.ts';
import { createMfccKernel } from './mfcc.ts';
import { measureSpectralShape } from './spectral.ts';
import { CONTRAST_BANDS, createSpectralContrast } from './spectral-contrast.ts';
import { zeroCrossingRate } from './zero-crossings.ts';

const FFT_SIZE = 2_048;
const HOP = 512;
/** Hops that one column of coefficients stands for. */
const HOPS_PER_COLUMN = 4;

/** Means over a track, of pieces of 2,048 samples every 512; 0 for an empty track. */
export interface SpectralMeans {
  readonly centroidHz: number;
  readonly bandwidthHz: number;
  readonly rolloffHz: number;
  /** dB in each of the seven bands; measured on every fourth piece. */
  readonly contrastDb: readonly number[];
  readonly zeroCrossingRate: number;
  /** Thirteen coefficients a column of 2,048 samples (the mean of its four pieces); empty where not wanted. */
  readonly mfcc: readonly Float32Array[];
  /** Roll-off in Hz of each column (the mean of its four pieces); empty where the shape is not wanted. */
  readonly rolloffColumns: readonly number[];
}

/** Measures the timbre of a stream. */
export interface SpectralTrackKernel {
  /** Takes in the next samples. */
  push(block: Float32Array): void;
  /** The means of what was pushed. */
  finish(): SpectralMeans;
  /** Gives the transform's memory back. */
  dispose(): void;
}

/**
 * Timbre of a whole track with the memory of one spectrum: samples → pieces of 2,048 every 512 → Hann window →
 * magnitude → shape, contrast, coefficients → means. `loadFft` must have finished.
 *
 * @param options.sampleRate samples a second
 * @param options.shape whether to measure everything but the coefficients
 * @param options.mfcc whether to measure the coefficients
 */
export function createSpectralTrackKernel(options: {
  sampleRate: number;
  shape: boolean;
  mfcc: boolean;
}): SpectralTrackKernel {
  const { sampleRate } = options;
  const framer = createFramer({ size: FFT_SIZE, hop: HOP });
  const stft = createStft({ size: FFT_SIZE, hop: HOP, window: hannWindow(FFT_SIZE) });
  const power = new Float32Array(stft.binCount);
  const magnitude = new Float32Array(stft.binCount);
  const measureContrast = createSpectralContrast(FFT_SIZE, sampleRate);
  const cepstrum = createMfccKernel({ sampleRate, fftSize: FFT_SIZE });
  const shape = { centroidHz: 0, bandwidthHz: 0, rolloffHz: 0 };
  const contrast = new Float32Array(CONTRAST_BANDS);
  const sums = { ...shape, zeroCrossingRate: 0, contrastDb: new Float64Array(CONTRAST_BANDS) };
  const mfcc: Float32Array[] = [];
  const rolloffs: number[] = [];
  let count = 0;

  const addShape = (index: number): void => {
    for (let bin = 0; bin < magnitude.length; bin++) magnitude[bin] = Math.sqrt(power[bin] ?? 0);
    measureSpectralShape(magnitude, sampleRate / FFT_SIZE, shape);
    sums.centroidHz += shape.centroidHz;
    sums.bandwidthHz += shape.bandwidthHz;
    sums.rolloffHz += shape.rolloffHz;
    const column = Math.floor(index / HOPS_PER_COLUMN);
    rolloffs[column] = (rolloffs[column] ?? 0) + shape.rolloffHz / HOPS_PER_COLUMN;
    if (index % HOPS_PER_COLUMN !== 0) return;
    measureContrast(magnitude, contrast);
    for (let band = 0; band < CONTRAST_BANDS; band++) {
      sums.contrastDb[band] = (sums.contrastDb[band] ?? 0) + (contrast[band] ?? 0);
    }
  };
  const onFrame = (samples: Float32Array): void => {
    sums.zeroCrossingRate += zeroCrossingRate(samples);
  };
  const onSpectrum = (re: Float32Array, im: Float32Array, index: number): void => {
    for (let bin = 0; bin < power.length; bin++) power[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
    count = index + 1;
    if (options.shape) addShape(index);
    if (!options.mfcc) return;
    cepstrum.add(power);
    if (count % HOPS_PER_COLUMN === 0) mfcc.push(cepstrum.take());
  };

  return {
    push(block) {
      stft.push(block, onSpectrum);
      if (options.shape) framer.push(block, onFrame);
    },
    finish() {
      stft.finish(onSpectrum);
      if (options.shape) framer.finish(onFrame);
      if (options.mfcc && count % HOPS_PER_COLUMN !== 0) mfcc.push(cepstrum.take());
      const pieces = Math.max(1, count);
      const contrastPieces = Math.max(1, Math.ceil(count / HOPS_PER_COLUMN));
      return {
        centroidHz: sums.centroidHz / pieces,
        bandwidthHz: sums.bandwidthHz / pieces,
        rolloffHz: sums.rolloffHz / pieces,
        zeroCrossingRate: sums.zeroCrossingRate / pieces,
        contrastDb: [...sums.contrastDb].map((sum) => sum / contrastPieces),
        mfcc,
        rolloffColumns: rolloffs,
      };
    },
    dispose: () => stft.dispose(),
  };
}
