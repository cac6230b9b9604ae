/** Sample rate of everything that this room renders. */
export const SAMPLE_RATE_HZ = 44_100;

/** One note or hit, rendered whole: two arrays of one length (the same array twice where it is mono). */
export interface Sound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** The number of samples in a time given in seconds, at least 1. */
export function samplesIn(seconds: number): number {
  return Math.max(1, Math.round(seconds * SAMPLE_RATE_HZ));
}

/** A mono sound; both sides share the array. */
export function monoSound(samples: Float32Array): Sound {
  return { left: samples, right: samples };
}

/**
 * Fades the last `seconds` of the samples to zero with half a cosine, in place: a sound that is cut while it
 * still rings would click.
 */
export function fadeEnd(samples: Float32Array, seconds: number): void {
  const count = Math.min(samples.length, samplesIn(seconds));
  const from = samples.length - count;
  for (let index = 0; index < count; index++) {
    samples[from + index]! *= 0.5 + 0.5 * Math.cos((Math.PI * (index + 1)) / count);
  }
}
