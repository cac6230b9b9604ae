/** Time in which faders and knobs reach a new value, in seconds. */
export const GAIN_RAMP_SECONDS = 0.01;

/**
 * A gain that moves to a new value in a straight line, so that no change clicks. Read it sample by sample with
 * {@link next}, or ahead of the output with {@link at} and {@link advance}. Allocates nothing.
 */
export class GainRamp {
  readonly #rampFrames: number;
  #from: number;
  #target: number;
  /** Frames since the ramp began, up to {@link #rampFrames}. */
  #elapsed: number;

  /** @param rampFrames output samples from one value to the next, at least 1 */
  constructor(initial: number, rampFrames: number) {
    this.#rampFrames = Math.max(1, rampFrames);
    this.#from = initial;
    this.#target = initial;
    this.#elapsed = this.#rampFrames;
  }

  /** The gain now. */
  get value(): number {
    return this.at(0);
  }

  /** The gain at the end of the ramp. */
  get target(): number {
    return this.#target;
  }

  /** Whether the target is reached. */
  get isSettled(): boolean {
    return this.#elapsed >= this.#rampFrames;
  }

  /** Starts a ramp to `target`; with `isImmediate` jumps there, where nothing is audible that could click. */
  set(target: number, isImmediate = false): void {
    if (target === this.#target && !isImmediate) return;
    this.#from = isImmediate ? target : this.value;
    this.#target = target;
    this.#elapsed = isImmediate ? this.#rampFrames : 0;
  }

  /** Returns the gain `frames` output samples from now; negative is before now. */
  at(frames: number): number {
    const elapsed = this.#elapsed + frames;
    if (this.isSettled || elapsed >= this.#rampFrames) return this.#target;
    return this.#from + (this.#target - this.#from) * (Math.max(0, elapsed) / this.#rampFrames);
  }

  /** Moves on by `frames` output samples. */
  advance(frames: number): void {
    this.#elapsed = Math.min(this.#rampFrames, this.#elapsed + frames);
  }

  /** Moves on by one sample and returns the gain there. */
  next(): number {
    if (this.#elapsed >= this.#rampFrames) return this.#target;
    this.#elapsed++;
    return this.value;
  }
}
