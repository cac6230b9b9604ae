import type { EffectTiming } from './effect-kernel.ts';

/** Samples between two computed values of a sweep; linear in between. */
export const SWEEP_FRAMES = 16;
/** Time constant that hides jumps of the position, in seconds. */
const SMOOTHING_SECONDS = 0.005;

/**
 * Sine of a sweep, −1 to 1, once in {@link SWEEP_FRAMES} samples. Where the position jumps, the value gets there
 * gradually. Allocates nothing.
 */
export class Sweep {
  readonly #smoothing: number;
  #value = 0;
  #isFirst = true;

  constructor(sampleRateHz: number) {
    this.#smoothing = 1 - Math.exp(-SWEEP_FRAMES / (SMOOTHING_SECONDS * sampleRateHz));
  }

  /** Takes the next value at once. */
  reset(): void {
    this.#isFirst = true;
  }

  /**
   * Returns the value at sample `at` of a block.
   *
   * @param offset part of a cycle that it is ahead
   */
  next({ cycle, step }: EffectTiming, at: number, offset: number): number {
    const exact = Math.sin(2 * Math.PI * (cycle + step * at + offset));
    this.#value = this.#isFirst ? exact : this.#value + this.#smoothing * (exact - this.#value);
    this.#isFirst = false;
    return this.#value;
  }
}
