/** Coefficients of y = b0·x + b1·x₁ + b2·x₂ − a1·y₁ − a2·y₂. */
export interface BiquadCoefficients {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/** A second-order filter for one stream of samples. */
export interface Biquad {
  /** Filters a block in place. */
  process(samples: Float64Array, count: number): void;
  /** Clears the state. */
  reset(): void;
  /** Writes the state, {@link BIQUAD_STATE} numbers, into `states` from `at` on. */
  save(states: Float64Array, at: number): void;
  /** Restores a saved state. */
  restore(states: Float64Array, at: number): void;
}

/** Numbers in the state of a second-order filter. */
export const BIQUAD_STATE = 2;

/**
 * Creates a second-order filter in transposed direct form II and double precision. It allocates nothing in use.
 *
 * @see Smith, "Introduction to digital filters with audio applications", W3K 2007
 */
export function createBiquad(coefficients: BiquadCoefficients): Biquad {
  const { b0, b1, b2, a1, a2 } = coefficients;
  // Variables captured by a closure would be boxed at each assignment.
  const state = new Float64Array(2);
  return {
    process(samples, count) {
      let first = state[0]!;
      let second = state[1]!;
      for (let at = 0; at < count; at++) {
        const x = samples[at]!;
        const y = b0 * x + first;
        first = b1 * x - a1 * y + second;
        second = b2 * x - a2 * y;
        samples[at] = y;
      }
      // Decayed state must not become denormal numbers, which are slow.
      state[0] = Math.abs(first) < 1e-30 ? 0 : first;
      state[1] = Math.abs(second) < 1e-30 ? 0 : second;
    },
    reset() {
      state.fill(0);
    },
    save(states, at) {
      states[at] = state[0]!;
      states[at + 1] = state[1]!;
    },
    restore(states, at) {
      state[0] = states[at]!;
      state[1] = states[at + 1]!;
    },
  };
}
