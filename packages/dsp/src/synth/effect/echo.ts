import { SAMPLE_RATE_HZ, samplesIn } from '../stereo-samples.ts';
import type { Insert } from './insert.ts';

/** Parameters of the echo. */
export interface EchoTaste {
  readonly leftSeconds: number;
  readonly rightSeconds: number;
  /** Feedback gain, 0 to 0.8. */
  readonly feedback: number;
  /** Cutoff of the low-pass in the feedback path, in Hz. */
  readonly dampHz: number;
}

/** A stereo delay with cross-feedback whose repeats get darker; the output contains only the wet signal. */
export class Echo implements Insert {
  readonly #left: Float32Array;
  readonly #right: Float32Array;
  readonly #feedback: number;
  readonly #damping: number;
  #leftAt = 0;
  #rightAt = 0;
  #leftDamped = 0;
  #rightDamped = 0;
  #leftLow = 0;
  #rightLow = 0;

  constructor(taste: EchoTaste) {
    this.#left = new Float32Array(samplesIn(taste.leftSeconds));
    this.#right = new Float32Array(samplesIn(taste.rightSeconds));
    this.#feedback = taste.feedback;
    this.#damping = 1 - Math.exp((-2 * Math.PI * taste.dampHz) / SAMPLE_RATE_HZ);
  }

  process(left: Float32Array, right: Float32Array, count: number): void {
    const lowCut = (2 * Math.PI * 220) / SAMPLE_RATE_HZ;
    for (let index = 0; index < count; index++) {
      const leftOut = this.#left[this.#leftAt]!;
      const rightOut = this.#right[this.#rightAt]!;
      this.#leftDamped += this.#damping * (leftOut - this.#leftDamped);
      this.#rightDamped += this.#damping * (rightOut - this.#rightDamped);
      this.#leftLow += lowCut * (this.#leftDamped - this.#leftLow);
      this.#rightLow += lowCut * (this.#rightDamped - this.#rightLow);
      this.#left[this.#leftAt] = left[index]! + this.#feedback * (this.#rightDamped - this.#rightLow);
      this.#right[this.#rightAt] = right[index]! + this.#feedback * (this.#leftDamped - this.#leftLow);
      this.#leftAt = this.#leftAt + 1 === this.#left.length ? 0 : this.#leftAt + 1;
      this.#rightAt = this.#rightAt + 1 === this.#right.length ? 0 : this.#rightAt + 1;
      left[index] = leftOut;
      right[index] = rightOut;
    }
  }
}
