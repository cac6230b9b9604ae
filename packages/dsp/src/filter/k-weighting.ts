import type { BiquadCoefficients } from './biquad.ts';

/**
 * Returns the two filters of K-weighting for a sample rate.
 *
 * These are a shelf of +4 dB above 1.7 kHz for the effect of the head, and a high-pass at 38 Hz. At 48 kHz they have
 * the coefficients printed in the standard.
 *
 * @param sampleRate samples a second
 * @see ITU-R BS.1770-4, annex 1; the analogue prototypes as in libebur128
 */
export function kWeighting(sampleRate: number): [BiquadCoefficients, BiquadCoefficients] {
  return [headShelf(sampleRate), lowCut(sampleRate)];
}

function headShelf(sampleRate: number): BiquadCoefficients {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function lowCut(sampleRate: number): BiquadCoefficients {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
