import { createComplexFft } from './complex-fft.ts';

/** Samples a frame: 93 ms at 44.1 kHz, long enough to tell the notes of a chord apart. */
export const frameSize = 4096;
/** Samples from frame to frame. */
export const hopSize = 1024;
/** Frequencies of a frame, 0 Hz to half the rate. */
export const binCount = frameSize / 2 + 1;

/** A short-time Fourier transform of two sides; planes are frame after frame, {@link binCount} values each. */
export interface StereoSpectrogram {
  readonly frameCount: number;
  /** Length of the sound it was made from. */
  readonly sampleCount: number;
  readonly leftRe: Float32Array;
  readonly leftIm: Float32Array;
  readonly rightRe: Float32Array;
  readonly rightIm: Float32Array;
}

/** The transform and its inverse, with one set of tables and buffers. */
export interface SpectrogramTransform {
  /** The spectrogram of two sides of equal length; beyond their ends there is silence. */
  analyse(left: Float32Array, right: Float32Array): StereoSpectrogram;
  /** The two sides of the spectrogram after every bin has been multiplied by a gain. */
  synthesise(
    spectrogram: StereoSpectrogram,
    gains: Float32Array,
  ): { left: Float32Array; right: Float32Array };
}

/**
 * Analysis and synthesis with the square root of a Hann window at 75 % overlap: with all gains 1 the sound comes
 * back within rounding. Both sides share one complex transform, as its real and its imaginary part.
 *
 * @see Griffin and Lim, Signal Estimation from Modified Short-Time Fourier Transform (1984)
 */
export function createSpectrogramTransform(): SpectrogramTransform {
  const fft = createComplexFft(frameSize);
  const window = Float64Array.from({ length: frameSize }, (_, i) =>
    Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSize)),
  );
  const re = new Float64Array(frameSize);
  const im = new Float64Array(frameSize);
  const firstStart = hopSize - frameSize;

  return {
    analyse(left, right) {
      const sampleCount = left.length;
      const frameCount = Math.ceil((sampleCount + frameSize - hopSize) / hopSize);
      const size = frameCount * binCount;
      const [leftRe, leftIm, rightRe, rightIm] = [0, 0, 0, 0].map(() => new Float32Array(size)) as [
        Float32Array,
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      for (let t = 0; t < frameCount; t++) {
        const start = firstStart + t * hopSize;
        for (let i = 0; i < frameSize; i++) {
          const at = start + i;
          const weight = at >= 0 && at < sampleCount ? (window[i] as number) : 0;
          re[i] = weight === 0 ? 0 : weight * (left[at] as number);
          im[i] = weight === 0 ? 0 : weight * (right[at] as number);
        }
        fft(re, im);
        for (let k = 0, at = t * binCount; k < binCount; k++, at++) {
          const mirror = (frameSize - k) % frameSize;
          leftRe[at] = 0.5 * ((re[k] as number) + (re[mirror] as number));
          leftIm[at] = 0.5 * ((im[k] as number) - (im[mirror] as number));
          rightRe[at] = 0.5 * ((im[k] as number) + (im[mirror] as number));
          rightIm[at] = 0.5 * ((re[mirror] as number) - (re[k] as number));
        }
      }
      return { frameCount, sampleCount, leftRe, leftIm, rightRe, rightIm };
    },

    synthesise({ frameCount, sampleCount, leftRe, leftIm, rightRe, rightIm }, gains) {
      const left = new Float32Array(sampleCount);
      const right = new Float32Array(sampleCount);
      const scale = (2 * hopSize) / frameSize / frameSize;
      for (let t = 0; t < frameCount; t++) {
        for (let k = 0, at = t * binCount; k < binCount; k++, at++) {
          const gain = (gains[at] as number) * scale;
          const a = gain * (leftRe[at] as number);
          const b = gain * (leftIm[at] as number);
          const c = gain * (rightRe[at] as number);
          const d = gain * (rightIm[at] as number);
          // The conjugate of left + j·right, so that the forward transform inverts.
          re[k] = a - d;
          im[k] = -(b + c);
          if (k === 0 || k === frameSize / 2) continue;
          re[frameSize - k] = a + d;
          im[frameSize - k] = b - c;
        }
        fft(re, im);
        const start = firstStart + t * hopSize;
        const end = Math.min(frameSize, sampleCount - start);
        for (let i = Math.max(0, -start); i < end; i++) {
          const weight = window[i] as number;
          left[start + i] = (left[start + i] as number) + (re[i] as number) * weight;
          right[start + i] = (right[start + i] as number) - (im[i] as number) * weight;
        }
      }
      return { left, right };
    },
  };
}
