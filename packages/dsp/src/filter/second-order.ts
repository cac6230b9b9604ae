import type { BiquadCoefficients } from './biquad.ts';

/** Quality of each second-order section of a fourth-order Butterworth filter. */
export const BUTTERWORTH_4 = [
  1 / (2 * Math.cos(Math.PI / 8)),
  1 / (2 * Math.cos((3 * Math.PI) / 8)),
] as const;

/**
 * Returns the coefficients of a second-order low-pass, high-pass or all-pass.
 *
 * @param hz frequency where the gain is `q` (all-pass: where the phase is shifted by half a circle)
 * @param q quality; 1/√2 is maximally flat
 * @see R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients" (bilinear transform)
 */
export function secondOrder(
  kind: 'lowpass' | 'highpass' | 'allpass',
  hz: number,
  q: number,
  sampleRateHz: number,
): BiquadCoefficients {
  const angle = (2 * Math.PI * hz) / sampleRateHz;
  const cos = Math.cos(angle);
  const alpha = Math.sin(angle) / (2 * q);
  const a0 = 1 + alpha;
  const a1 = (-2 * cos) / a0;
  const a2 = (1 - alpha) / a0;
  if (kind === 'allpass') return { b0: a2, b1: a1, b2: 1, a1, a2 };
  const sign = kind === 'lowpass' ? -1 : 1;
  const b0 = (1 + sign * cos) / 2 / a0;
  return { b0, b1: -2 * sign * b0, b2: b0, a1, a2 };
}
