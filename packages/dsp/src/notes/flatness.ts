import { createRealFft } from '../transform/fft.ts';
import { hannWindow } from '../transform/window.ts';

/** Samples over which flatness is measured. */
export const FLATNESS_SAMPLES = 2048;
/** Highest frequency as a fraction of the Nyquist frequency; above it the filter of a resampler shapes the spectrum. */
const HIGHEST_FRACTION = 0.8;
/** Added to all powers, so that silence is flat. */
const FLOOR = 1e-12;

/**
 * Creates a measure of spectral flatness, which separates noise from tones.
 *
 * It is the geometric over the arithmetic mean of the power spectrum of `FLATNESS_SAMPLES` samples: near 0 for tones,
 * about 0.56 for white noise, 1 for silence. `loadFft()` must have finished.
 *
 * @see Johnston, "Transform coding of audio signals using perceptual noise criteria", IEEE JSAC 6(2), 1988
 */
export function createFlatness(): (samples: Float32Array) => number {
  const fft = createRealFft(FLATNESS_SAMPLES);
  const shape = hannWindow(FLATNESS_SAMPLES);
  const shaped = new Float32Array(FLATNESS_SAMPLES);
  const re = new Float32Array(fft.binCount);
  const im = new Float32Array(fft.binCount);
  const last = Math.floor(fft.binCount * HIGHEST_FRACTION);
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
