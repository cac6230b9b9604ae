import { SAMPLE_RATE_HZ } from './stereo-samples.ts';

/** Returns the factor per sample of an exponential decay with this time constant (37 % after it). */
export function decayFactor(seconds: number): number {
  return Math.exp(-1 / (seconds * SAMPLE_RATE_HZ));
}
