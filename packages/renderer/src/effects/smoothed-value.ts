/** Part of the distance to the target that is left after a block of 128 samples. */
const LEFT_PER_BLOCK = 0.75;

/**
 * Parameter that moves to its target in straight lines, one per block, about 10 ms long altogether. In a block, read
 * `value`, then add `step` for each sample, or read both once. Allocates nothing.
 */
export class SmoothedValue {
  /** Value at the beginning of the block. */
  value: number;
  /** Change per sample in the block. */
  step = 0;
  #end: number;
  #target: number;

  constructor(initial: number) {
    this.value = initial;
    this.#end = initial;
    this.#target = initial;
  }

  /** Value that it moves to. */
  get target(): number {
    return this.#target;
  }

  /** Whether the value stays the same in this block. */
  get isSettled(): boolean {
    return this.step === 0;
  }

  /** Sets the target. */
  aim(target: number): void {
    this.#target = target;
  }

  /** Moves to the target at once. */
  jump(): void {
    this.value = this.#target;
    this.#end = this.#target;
    this.step = 0;
  }

  /** Begins a block. */
  begin(frames: number): void {
    this.value = this.#end;
    const apart = this.#target - this.value;
    if (apart === 0) {
      this.step = 0;
      return;
    }
    const isNear = Math.abs(apart) < 1e-4 * Math.max(1e-3, Math.abs(this.#target));
    this.#end = isNear ? this.#target : this.value + apart * (1 - LEFT_PER_BLOCK ** (frames / 128));
    this.step = (this.#end - this.value) / frames;
  }
}
