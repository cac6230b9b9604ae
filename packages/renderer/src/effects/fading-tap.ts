import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import type { DelayLine } from './delay-line.ts';

/** Crossfade from one delay to another. */
const FADE_SECONDS = 0.03;
/** Smallest change of a delay that is followed, in samples: beat grids are no more precise. */
const LEAST_CHANGE = 2;

/**
 * Tap of a delay line at a whole number of samples. Another delay is reached by a crossfade of both taps, without a
 * change of pitch. Allocates nothing in use.
 */
export class FadingTap {
  readonly left = new Float32Array(BLOCK_FRAMES);
  readonly right = new Float32Array(BLOCK_FRAMES);
  readonly #oldLeft = new Float32Array(BLOCK_FRAMES);
  readonly #oldRight = new Float32Array(BLOCK_FRAMES);
  readonly #fadeFrames: number;
  #delay = -1;
  #oldDelay = 0;
  #faded: number;

  constructor(sampleRateHz: number) {
    this.#fadeFrames = Math.round(FADE_SECONDS * sampleRateHz);
    this.#faded = this.#fadeFrames;
  }

  /** Longest delay that is read at present, in samples. */
  get longest(): number {
    return Math.max(this.#delay, this.#oldDelay);
  }

  /** Takes the next delay at once. */
  reset(): void {
    this.#delay = -1;
    this.#oldDelay = 0;
    this.#faded = this.#fadeFrames;
  }

  /** Reads a block into `left` and `right`; `ahead` samples of the line are those of this block. */
  read(line: DelayLine, delay: number, ahead: number, frames: number): void {
    if (this.#delay < 0) this.#delay = delay;
    const isFading = this.#faded < this.#fadeFrames;
    if (!isFading && Math.abs(delay - this.#delay) >= LEAST_CHANGE) {
      this.#oldDelay = this.#delay;
      this.#delay = delay;
      this.#faded = 0;
    }
    line.read(this.#delay + ahead, this.left, this.right, frames);
    if (this.#faded >= this.#fadeFrames) {
      this.#oldDelay = 0;
      return;
    }
    line.read(this.#oldDelay + ahead, this.#oldLeft, this.#oldRight, frames);
    for (let n = 0; n < frames; n++) {
      const gain = Math.min(1, (this.#faded + n) / this.#fadeFrames);
      this.left[n] = this.#oldLeft[n]! + gain * (this.left[n]! - this.#oldLeft[n]!);
      this.right[n] = this.#oldRight[n]! + gain * (this.right[n]! - this.#oldRight[n]!);
    }
    this.#faded += frames;
  }
}
