/** A gain that reaches a new value in a straight line, so that no change is a click. Allocates nothing. */
export class SmoothGain {
  value: number;
  readonly #rampFrames: number;
  #target: number;
  #step = 0;

  constructor(initial: number, rampFrames: number) {
    this.value = initial;
    this.#target = initial;
    this.#rampFrames = Math.max(1, rampFrames);
  }

  /** Whether it stands still. */
  get isThere(): boolean {
    return this.value === this.#target;
  }

  /** Starts on the way to `target`; at once where nothing sounds that could click. */
  set(target: number, isAtOnce: boolean): void {
    this.#target = target;
    this.#step = (target - this.value) / this.#rampFrames;
    if (isAtOnce) this.value = target;
  }

  /** The gain of the next sample. */
  next(): number {
    if (this.value !== this.#target) {
      this.value += this.#step;
      const isThere = this.#step > 0 ? this.value >= this.#target : this.value <= this.#target;
      if (isThere || this.#step === 0) this.value = this.#target;
    }
    return this.value;
  }
}
