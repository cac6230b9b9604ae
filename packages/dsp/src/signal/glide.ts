/** Distance from the target at which a value has arrived: −100 dB. */
const THERE = 1e-5;

/**
 * Smooths a value on its way to a target with two first-order lags in series.
 *
 * Without corners in its course, a gain does not spread the spectrum of the audio that it multiplies. Allocates
 * nothing.
 */
export class Glide {
  value: number;
  #goal: number;
  #lag: number;
  readonly #coefficient: number;

  /** @param seconds time until nine tenths of a step are done */
  constructor(initial: number, seconds: number, sampleRateHz: number) {
    this.value = initial;
    this.#goal = initial;
    this.#lag = initial;
    // Two lags of time constant t complete nine tenths of a step after 3.89 t.
    this.#coefficient = 1 - Math.exp(-3.89 / (seconds * sampleRateHz));
  }

  get goal(): number {
    return this.#goal;
  }

  /** Whether the value has reached its target. */
  get isThere(): boolean {
    return this.value === this.#goal;
  }

  /** Sets the target. */
  aim(goal: number): void {
    this.#goal = goal;
  }

  /** Moves to the target at once. */
  jump(): void {
    this.value = this.#goal;
    this.#lag = this.#goal;
  }

  /** Returns the value at the next sample. */
  next(): number {
    if (this.value === this.#goal && this.#lag === this.#goal) return this.value;
    this.#lag += (this.#goal - this.#lag) * this.#coefficient;
    this.value += (this.#lag - this.value) * this.#coefficient;
    if (Math.abs(this.#goal - this.value) < THERE && Math.abs(this.#goal - this.#lag) < THERE) this.jump();
    return this.value;
  }
}
