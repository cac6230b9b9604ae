/** A gain that is read ahead of the time at which it sounds: straight from one value to the next. Allocates nothing. */
export class GainRamp {
  #from: number;
  #to: number;
  #done = 1;
  readonly #step: number;

  constructor(initial: number, rampFrames: number) {
    this.#from = initial;
    this.#to = initial;
    this.#step = 1 / Math.max(1, rampFrames);
  }

  /** Whether it stands still. */
  get isThere(): boolean {
    return this.#done === 1;
  }

  /** Where it is going. */
  get goal(): number {
    return this.#to;
  }

  /** Sets out for `goal`; at once where nothing sounds that could click. */
  set(goal: number, isAtOnce: boolean): void {
    if (goal === this.#to && !isAtOnce) return;
    this.#from = isAtOnce ? goal : this.at(0);
    this.#to = goal;
    this.#done = isAtOnce ? 1 : 0;
  }

  /** The gain `frames` output samples from now, before now as it was. */
  at(frames: number): number {
    if (this.#done === 1) return this.#to;
    const done = Math.min(1, Math.max(0, this.#done + frames * this.#step));
    return this.#from + (this.#to - this.#from) * done;
  }

  /** Lets `frames` output samples pass. */
  pass(frames: number): void {
    this.#done = Math.min(1, this.#done + frames * this.#step);
  }
}
