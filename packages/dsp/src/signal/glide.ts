/** Nearer than this to its goal a value is there: −100 dB. */
const THERE = 1e-5;

/**
 * A value that goes to its goal without a corner: two first-order lags, one behind the other, so that what it is
 * multiplied with does not splash over the spectrum. Allocates nothing.
 */
export class Glide {
  value: number;
  #goal: number;
  #lag: number;
  readonly #pace: number;

  /** @param seconds until a step is nine tenths done */
  constructor(initial: number, seconds: number, sampleRateHz: number) {
    this.value = initial;
    this.#goal = initial;
    this.#lag = initial;
    // Two lags of time constant t have done nine tenths of a step after 3.89 t.
    this.#pace = 1 - Math.exp(-3.89 / (seconds * sampleRateHz));
  }

  get goal(): number {
    return this.#goal;
  }

  /** Whether it stands still. */
  get isThere(): boolean {
    return this.value === this.#goal;
  }

  /** Sets out for `goal`. */
  aim(goal: number): void {
    this.#goal = goal;
  }

  /** Is at its goal at once. */
  jump(): void {
    this.value = this.#goal;
    this.#lag = this.#goal;
  }

  /** The value at the next sample. */
  next(): number {
    if (this.value === this.#goal && this.#lag === this.#goal) return this.value;
    this.#lag += (this.#goal - this.#lag) * this.#pace;
    this.value += (this.#lag - this.value) * this.#pace;
    if (Math.abs(this.#goal - this.value) < THERE && Math.abs(this.#goal - this.#lag) < THERE) this.jump();
    return this.value;
  }
}
