import { fadeInGain } from '../gain/fade-curve.ts';

/**
 * Crossfade at a cut: the audio before it continues for a moment and fades out, while the audio after it fades in. Both
 * gains add up to 1 at every sample. Allocates nothing in use.
 */
export class CutCrossfade {
  readonly frames: number;
  /** The audio before the cut, faded out already. */
  readonly #left: Float32Array;
  readonly #right: Float32Array;
  readonly #rise: Float64Array;
  /** Rendered samples of the fade-out and of the fade-in. */
  #tailAt: number;
  #riseAt: number;

  /** @param frames length of the crossfade in samples */
  constructor(frames: number) {
    this.frames = frames;
    this.#left = new Float32Array(frames);
    this.#right = new Float32Array(frames);
    this.#rise = Float64Array.from({ length: frames }, (_, n) => fadeInGain((n + 0.5) / frames));
    this.#tailAt = frames;
    this.#riseAt = frames;
  }

  /** Whether no crossfade is in progress. */
  get isDone(): boolean {
    return this.#tailAt === this.frames && this.#riseAt === this.frames;
  }

  /**
   * Takes the {@link frames} samples that would have followed the cut. They fade out from the present level; the rest
   * of an earlier fade-out continues.
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

  /** Lets the audio after the cut fade in from silence. */
  fadeIn(): void {
    this.#riseAt = 0;
  }

  /** Fades `frames` samples in place and adds the audio before the cut. `hasAudio` is false where nothing follows. */
  process(left: Float32Array, right: Float32Array, frames: number, hasAudio: boolean): void {
    if (hasAudio) {
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
