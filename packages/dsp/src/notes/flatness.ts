import { createRealFft } from '../transform/fft.ts';
import { hannWindow } from '../transform/window.ts';

/** Samples whose flatness is told at once. */
export const FLATNESS_SAMPLES = 2048;
/** Of the Nyquist frequency: beyond this the filter of a resampler shapes what is left. */
const HIGHEST_SHARE = 0.8;
/** Added to all powers: what is less is silence, and flat. */
const FLOOR = 1e-12;

/**
 * Tells noise from tones: the geometric by the arithmetic mean of the power of `FLATNESS_SAMPLES` samples over frequency,
 * near 0 for tones, about 0.56 for white noise, 1 for silence. `loadFft()` must have finished.
 *
 * @see Johnston, "Transform coding of audio signals using perceptual noise criteria", IEEE JSAC 6(2), 1988
 */
export function createFlatness(): (samples: Float32Array) => number {
  const fft = createRealFft(FLATNESS_SAMPLES);
  const shape = hannWindow(FLATNESS_SAMPLES);
  const shaped = new Float32Array(FLATNESS_SAMPLES);
  const re = new Float32Array(fft.binCount);
  const im = new Float32Array(fft.binCount);
  const last = Math.floor(fft.binCount * HIGHEST_SHARE);
  return (samples) => {
    for (let at = 0; at < FLATNESS_SAMPLES; at++) shaped[at] = (samples[at] ?? 0) * (shape[at] ?? 0);
    fft.forward(shaped, re, im);
    let sum = 0;
    let logs = 0;
    for (let bin = 1; bin <= last; bin++) {
      const power = FLOOR + (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
      sum += power;
      logs += Math.log(power);
    }
    return Math.exp(logs / last) / (sum / last);
  };
}
