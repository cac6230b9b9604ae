import { fadeInGain } from '../gain/fade-curve.ts';

/**
 * What makes a cut in a sound inaudible: the sound that is left goes on for a moment and fades out, while the one that
 * follows fades in. Both fades add up to 1 at every sample. Allocates nothing in use.
 */
export class CutCrossfade {
  readonly frames: number;
  /** The sound that is left, its fade in it already. */
  readonly #left: Float32Array;
  readonly #right: Float32Array;
  readonly #rise: Float64Array;
  /** Samples of the tail and of the fade-in that have sounded. */
  #tailAt: number;
  #riseAt: number;

  /** @param frames samples of a fade */
  constructor(frames: number) {
    this.frames = frames;
    this.#left = new Float32Array(frames);
    this.#right = new Float32Array(frames);
    this.#rise = Float64Array.from({ length: frames }, (_, n) => fadeInGain((n + 0.5) / frames));
    this.#tailAt = frames;
    this.#riseAt = frames;
  }

  /** Whether nothing is left of a cut. */
  get isDone(): boolean {
    return this.#tailAt === this.frames && this.#riseAt === this.frames;
  }

  /**
   * Takes the {@link frames} samples that would have follower. They fade out from the level that the sound had; the
   * rest of an earlier tail goes on.
   */
  fadeOut(left: Float32Array, right: Float32Array): void {
    const level = this.#riseAt === 0 ? 0 : (this.#rise[this.#riseAt] ?? 1);
    for (let n = 0; n < this.frames; n++) {
      const fade = level * (1 - this.#rise[n]!);
      const old = this.#tailAt + n;
      this.#left[n] = left[n]! * fade + (this.#left[old] ?? 0);
      this.#right[n] = right[n]! * fade + (this.#right[old] ?? 0);
    }
    this.#tailAt = 0;
  }

  /** Lets what follows fade in from silence. */
  fadeIn(): void {
    this.#riseAt = 0;
  }

  /** Fades `frames` samples in place and adds what is left of the tail. `hasSound` is false where nothing follows. */
  process(left: Float32Array, right: Float32Array, frames: number, hasSound: boolean): void {
    if (hasSound) {
      const count = Math.min(frames, this.frames - this.#riseAt);
      for (let n = 0; n < count; n++) {
        const gain = this.#rise[this.#riseAt + n]!;
        left[n]! *= gain;
        right[n]! *= gain;
      }
      this.#riseAt += count;
    }
    const count = Math.min(frames, this.frames - this.#tailAt);
    for (let n = 0; n < count; n++) {
      left[n]! += this.#left[this.#tailAt + n]!;
      right[n]! += this.#right[this.#tailAt + n]!;
    }
    this.#tailAt += count;
  }
}
