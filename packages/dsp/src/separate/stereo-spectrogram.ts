import { createRealFft, loadFft } from '../transform/fft.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';

/** Samples per frame: 93 ms at 44.1 kHz, long enough to resolve the notes of a chord. */
export const frameSize = 4096;
/** Hop size in samples. */
export const hopSize = 1024;
/** Bins of a frame, 0 Hz to half the sample rate. */
export const binCount = frameSize / 2 + 1;
/** Distance of neighbouring bins, in Hz. */
export const binHz = 44_100 / frameSize;

/** Short-time Fourier transform of stereo audio. Arrays are frame by frame, {@link binCount} values each. */
export interface StereoSpectrogram {
  readonly frameCount: number;
  /** Length of the transformed audio. */
  readonly sampleCount: number;
  readonly leftRe: Float32Array;
  readonly leftIm: Float32Array;
  readonly rightRe: Float32Array;
  readonly rightIm: Float32Array;
}

/** A transform and its inverse, which share tables and buffers. */
export interface SpectrogramTransform {
  /**
   * Transforms two audio channels of equal length, padded with silence.
   *
   * @param pool provides the four arrays
   */
  analyse(left: Float32Array, right: Float32Array, pool?: BufferPool): StereoSpectrogram;
  /** Transforms a spectrogram back, after multiplying each bin by its gain, if there are gains. */
  synthesise(
    spectrogram: StereoSpectrogram,
    gains?: Float32Array,
  ): { left: Float32Array; right: Float32Array };
}

/**
 * Creates a transform with the square root of a Hann window at 75 % overlap. With all gains 1 the audio is reproduced
 * within rounding.
 *
 * @see Griffin and Lim, Signal Estimation from Modified Short-Time Fourier Transform (1984)
 */
export async function createSpectrogramTransform(): Promise<SpectrogramTransform> {
  await loadFft();
  const fft = createRealFft(frameSize);
  const window = Float32Array.from({ length: frameSize }, (_, i) =>
    Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSize)),
  );
  const samples = new Float32Array(frameSize);
  const re = new Float32Array(binCount);
  const im = new Float32Array(binCount);
  const firstStart = hopSize - frameSize;

  const analyseSide = (side: Float32Array, toRe: Float32Array, toIm: Float32Array): void => {
    for (let t = 0; t * binCount < toRe.length; t++) {
      const start = firstStart + t * hopSize;
      for (let i = 0; i < frameSize; i++) {
        const at = start + i;
        samples[i] = at >= 0 && at < side.length ? (window[i] as number) * (side[at] as number) : 0;
      }
      fft.forward(samples, re, im);
      toRe.set(re, t * binCount);
      toIm.set(im, t * binCount);
    }
  };

  const synthesiseSide = (
    fromRe: Float32Array,
    fromIm: Float32Array,
    gains: Float32Array | undefined,
    sampleCount: number,
  ): Float32Array => {
    const side = new Float32Array(sampleCount);
    const scale = (2 * hopSize) / frameSize;
    for (let t = 0; t * binCount < fromRe.length; t++) {
      for (let k = 0, at = t * binCount; k < binCount; k++, at++) {
        const gain = gains === undefined ? scale : (gains[at] as number) * scale;
        re[k] = gain * (fromRe[at] as number);
        im[k] = gain * (fromIm[at] as number);
      }
      fft.inverse(re, im, samples);
      const start = firstStart + t * hopSize;
      const end = Math.min(frameSize, sampleCount - start);
      for (let i = Math.max(0, -start); i < end; i++) {
        side[start + i] = (side[start + i] as number) + (samples[i] as number) * (window[i] as number);
      }
    }
    return side;
  };

  return {
    analyse(left, right, pool = createBufferPool()) {
      const sampleCount = left.length;
      const frameCount = Math.ceil((sampleCount + frameSize - hopSize) / hopSize);
      const createArray = (): Float32Array => pool.acquire(frameCount * binCount);
      const spectrogram: StereoSpectrogram = {
        frameCount,
        sampleCount,
        leftRe: createArray(),
        leftIm: createArray(),
        rightRe: createArray(),
        rightIm: createArray(),
      };
      analyseSide(left, spectrogram.leftRe, spectrogram.leftIm);
      analyseSide(right, spectrogram.rightRe, spectrogram.rightIm);
      return spectrogram;
    },
    synthesise({ sampleCount, leftRe, leftIm, rightRe, rightIm }, gains) {
      return {
        left: synthesiseSide(leftRe, leftIm, gains, sampleCount),
        right: synthesiseSide(rightRe, rightIm, gains, sampleCount),
      };
    },
  };
}

/** Writes the magnitude of each bin over both audio channels. */
export function writeMagnitude(
  { leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram,
  magnitude: Float32Array,
): void {
  for (let i = 0; i < magnitude.length; i++) {
    const a = leftRe[i] as number;
    const b = leftIm[i] as number;
    const c = rightRe[i] as number;
    const d = rightIm[i] as number;
    magnitude[i] = Math.sqrt(a * a + b * b + c * c + d * d);
  }
}
