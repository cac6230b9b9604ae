import { SAMPLE_RATE_HZ } from './stereo-samples.ts';

/**
 * A two-pole filter with low-pass, band-pass and high-pass outputs that can be retuned at every sample.
 *
 * @see Zavalishin, "The art of VA filter design", 2012 (trapezoidal state variable filter)
 */
export class StateVariableFilter {
  low = 0;
  band = 0;
  high = 0;
  #first = 0;
  #second = 0;
  #g = 0;
  #damping = 1;
  #scale = 1;

  /** @param q resonance, 0.5 (none) to about 12 */
  constructor(cutoffHz: number, q = Math.SQRT1_2) {
    this.tune(cutoffHz, q);
  }

  /** Sets cutoff (clamped to 10 Hz and 0.45 of the sample rate) and resonance. */
  tune(cutoffHz: number, q: number): void {
    const held = Math.min(Math.max(cutoffHz, 10), 0.45 * SAMPLE_RATE_HZ);
    this.#g = Math.tan((Math.PI * held) / SAMPLE_RATE_HZ);
    this.#damping = 1 / q;
    this.#scale = 1 / (1 + this.#g * (this.#g + this.#damping));
  }

  /** Processes one sample; returns the low-pass output and leaves all three in `low`, `band`, `high`. */
  process(input: number): number {
    const g = this.#g;
    const high = (input - (g + this.#damping) * this.#first - this.#second) * this.#scale;
    const band = this.#first + g * high;
    const low = this.#second + g * band;
    this.#first = band + g * high;
    this.#second = low + g * band;
    this.high = high;
    this.band = band * this.#damping;
    this.low = low;
    return low;
  }

  /** Applies the low-pass to a range in place: the same as `process` sample by sample, twice as fast. */
  lowpass(samples: Float32Array, from: number, to: number): void {
    const g = this.#g;
    const feedback = g + this.#damping;
    const scale = this.#scale;
    let first = this.#first;
    let second = this.#second;
    for (let index = from; index < to; index++) {
      const high = (samples[index]! - feedback * first - second) * scale;
      const band = first + g * high;
      const low = second + g * band;
      first = band + g * high;
      second = low + g * band;
      samples[index] = low;
    }
    this.#first = first;
    this.#second = second;
  }
}

/** Returns the coefficient of a one-pole smoother that completes 63 % of a step in the given time. */
export function smoothing(seconds: number): number {
  return 1 - Math.exp(-1 / (seconds * SAMPLE_RATE_HZ));
}
