import type { EffectKernel, EffectTiming } from './effect-kernel.ts';

/**
 * Gate that opens at the beginning of each step and closes after a part of it. It opens and closes in straight ramps,
 * so that neither clicks, nor does a jump of the position.
 */
export class GateKernel implements EffectKernel {
  readonly tailFrames = 128;
  readonly #sampleRateHz: number;
  #open = 0.5;
  #slope = 1;
  #gain = 1;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  set(values: readonly number[]): void {
    const [open = 0.5, rampMs = 5] = values;
    this.#open = open;
    this.#slope = 1 / Math.max(1, (rampMs / 1000) * this.#sampleRateHz);
  }

  reset(): void {
    this.#gain = 1;
  }

  begin(): void {}

  process(left: Float32Array, right: Float32Array, frames: number, { cycle, step }: EffectTiming): void {
    const open = this.#open;
    const slope = this.#slope;
    let gain = this.#gain;
    let position = cycle - Math.floor(cycle);
    for (let n = 0; n < frames; n++) {
      gain = position < open ? Math.min(1, gain + slope) : Math.max(0, gain - slope);
      left[n]! *= gain;
      right[n]! *= gain;
      position += step;
      if (position >= 1) position -= 1;
    }
    this.#gain = gain;
  }
}
