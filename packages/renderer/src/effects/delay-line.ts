/**
 * Ring of stereo samples. Samples from before the last {@link clear} read as silence, so that clearing costs nothing.
 * Allocates nothing after construction.
 */
export class DelayLine {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly #mask: number;
  #at = 0;
  #written = 0;

  /** @param seconds longest delay */
  constructor(seconds: number, sampleRateHz: number) {
    const length = 2 ** Math.ceil(Math.log2(seconds * sampleRateHz + 256));
    this.left = new Float32Array(length);
    this.right = new Float32Array(length);
    this.#mask = length - 1;
  }

  /** Longest delay in samples that a block of 128 can be read at. */
  get capacity(): number {
    return this.#mask - 127;
  }

  /** Samples written since it was cleared, up to the length of the ring. */
  get written(): number {
    return this.#written;
  }

  /** Makes the line silent. */
  clear(): void {
    this.#written = 0;
  }

  /** Reads a block that was written `delay` samples before the next one, which has at least as many samples. */
  read(delay: number, left: Float32Array, right: Float32Array, frames: number): void {
    const silent = Math.min(frames, Math.max(0, delay - this.#written));
    for (let n = 0; n < silent; n++) {
      left[n] = 0;
      right[n] = 0;
    }
    const from = this.#at - delay;
    const mask = this.#mask;
    for (let n = silent; n < frames; n++) {
      const at = (from + n) & mask;
      left[n] = this.left[at]!;
      right[n] = this.right[at]!;
    }
  }

  /** Appends a block. */
  write(left: Float32Array, right: Float32Array, frames: number): void {
    const mask = this.#mask;
    for (let n = 0; n < frames; n++) {
      const at = (this.#at + n) & mask;
      this.left[at] = left[n]!;
      this.right[at] = right[n]!;
    }
    this.#at = (this.#at + frames) & mask;
    this.#written = Math.min(mask + 1, this.#written + frames);
  }
}
