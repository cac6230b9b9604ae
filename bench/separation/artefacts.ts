import type { StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import { binCount, binHz, type SpectrogramTransform } from '@stem-studio/dsp/separate/stereo-spectrogram';
import { median } from './sdr.ts';

/** Half the length of the window around a transient: 10 ms. */
const onsetFrames = 441;
const blockFrames = 441;
/** Rise of a transient within 10 ms. */
const riseDb = 12;
const quietPower = 1e-6;

/**
 * Returns the blur of transients in dB. At each transient of the truth, this is the level of the 10 ms before it
 * relative to the 10 ms after it, in the estimate compared with the truth. The median; 0 is as sharp as the truth.
 * Masks smear energy from after a transient to before it. NaN without transients.
 */
export function onsetBlurDb(truth: StereoAudio, estimate: StereoAudio): number {
  const risesDb: number[] = [];
  for (let at = 2 * blockFrames; at + onsetFrames < truth.left.length; at += blockFrames) {
    const after = power(truth, at, at + onsetFrames);
    const before = power(truth, at - onsetFrames, at);
    if (after < quietPower || after < before * 10 ** (riseDb / 10)) continue;
    const found = power(estimate, at - onsetFrames, at) / (power(estimate, at, at + onsetFrames) + 1e-12);
    risesDb.push(10 * Math.log10((found + 1e-6) / (before / after + 1e-6)));
  }
  return median(risesDb);
}

/** Frequency range of audible musical noise. */
const noiseHz = { from: 200, to: 8000 } as const;

/**
 * Returns how much more the estimate's power is concentrated in single peaks of the spectrogram than the truth's. This
 * is musical noise, the chirping that a mask causes and SDR does not reveal. Kurtosis of the power of the bins in
 * powers of ten; 0 is as smooth as the truth, 0.3 twice as peaky. Left channel only.
 *
 * @see Uemura et al., Musical noise generation analysis for noise reduction methods based on spectral subtraction and
 * MMSE STSA estimation, ICASSP 2009
 */
export function musicalNoise(
  transform: SpectrogramTransform,
  truth: StereoAudio,
  estimate: StereoAudio,
): number {
  return Math.log10(kurtosis(transform, estimate) / kurtosis(transform, truth));
}

function kurtosis(transform: SpectrogramTransform, { left, right }: StereoAudio): number {
  const { frameCount, leftRe, leftIm } = transform.analyse(left, right);
  const [first, last] = [noiseHz.from, noiseHz.to].map((hz) => Math.round(hz / binHz)) as [number, number];
  let mean = 0;
  let meanSquare = 1e-30;
  const count = frameCount * (last - first);
  for (let t = 0; t < frameCount; t++) {
    for (let at = t * binCount + first; at < t * binCount + last; at++) {
      const power = (leftRe[at] as number) ** 2 + (leftIm[at] as number) ** 2;
      mean += power / count;
      meanSquare += power ** 2 / count;
    }
  }
  return meanSquare / (mean ** 2 + 1e-30);
}

function power({ left, right }: StereoAudio, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += (left[i] as number) ** 2 + (right[i] as number) ** 2;
  return sum / (to - from);
}
