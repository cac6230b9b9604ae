/** Sample rate of all rendered audio. */
export const SAMPLE_RATE_HZ = 44_100;

/** One rendered note or hit: two arrays of one length (the same array twice for mono). */
export interface StereoSamples {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** Returns the number of samples in a number of seconds, at least 1. */
export function samplesIn(seconds: number): number {
  return Math.max(1, Math.round(seconds * SAMPLE_RATE_HZ));
}

/** Creates a mono sound; both sides share the array. */
export function monoSamples(samples: Float32Array): StereoSamples {
  return { left: samples, right: samples };
}

/** Fades the last `seconds` of the samples to zero with half a cosine, in place, so that a cut sound does not click. */
export function fadeEnd(samples: Float32Array, seconds: number): void {
  const count = Math.min(samples.length, samplesIn(seconds));
  const from = samples.length - count;
  for (let index = 0; index < count; index++) {
    samples[from + index]! *= 0.5 + 0.5 * Math.cos((Math.PI * (index + 1)) / count);
  }
}
