import type { EffectKernel } from './effect-kernel.ts';
import { SmoothedValue } from './smoothed-value.ts';

/**
 * Bitcrusher: holds a sample until the next one of the lower rate, rounded to fewer levels. Levels are symmetrical
 * around 0, so that silence stays silent and no offset arises.
 */
export class BitcrusherKernel implements EffectKernel {
  readonly tailFrames = 128;
  readonly #sampleRateHz: number;
  readonly #bits = new SmoothedValue(16);
  readonly #rate = new SmoothedValue(1);
  readonly #held = new Float64Array(2);
  /** Position between two samples of the lower rate; from 1 on the next is due. */
  #position = 1;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  set(values: readonly number[]): void {
    const [bits = 16, rateHz = 44_100] = values;
    this.#bits.aim(bits);
    this.#rate.aim(Math.min(1, rateHz / this.#sampleRateHz));
  }

  reset(): void {
    this.#held.fill(0);
    this.#position = 1;
    this.#bits.jump();
    this.#rate.jump();
  }

  begin(): void {}

  process(left: Float32Array, right: Float32Array, frames: number): void {
    this.#bits.begin(frames);
    this.#rate.begin(frames);
    const levels = 2 ** (this.#bits.value - 1);
    const step = this.#rate.value;
    let position = this.#position;
    let heldLeft = this.#held[0]!;
    let heldRight = this.#held[1]!;
    for (let n = 0; n < frames; n++) {
      if (position >= 1) {
        position -= 1;
        heldLeft = rounded(left[n]!, levels);
        heldRight = rounded(right[n]!, levels);
      }
      position += step;
      left[n] = heldLeft;
      right[n] = heldRight;
    }
    this.#held[0] = heldLeft;
    this.#held[1] = heldRight;
    this.#position = position;
  }
}

/** Returns a sample rounded to a multiple of 1 / `levels`, away from 0 at the middle. */
function rounded(sample: number, levels: number): number {
  return sample < 0
    ? -Math.floor(0.5 - sample * levels) / levels
    : Math.floor(0.5 + sample * levels) / levels;
}
