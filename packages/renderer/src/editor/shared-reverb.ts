import type { ReverbSettings } from '@stem-studio/contract/resources/lane-effects';
import { ReverbKernel } from '../effects/reverb-kernel.ts';

/** Below it the reverb has no input: low notes of a fader that is nearly closed would only blur. */
const LOW_CUT_HZ = 120;

/** Reverb that several lanes share. Sleeps while nothing rings. Allocates nothing in `add`. */
export class SharedReverb {
  readonly #kernel: ReverbKernel;
  readonly #sampleRateHz: number;
  #tailFrames = 0;
  /** Frames for which it rings on without input. */
  #left = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#kernel = new ReverbKernel(sampleRateHz);
  }

  /** Moves to other settings; at once where nothing rings. */
  set(settings: ReverbSettings): void {
    const { decay_s, damping, pre_delay_ms } = settings;
    this.#tailFrames = reverbFrames(settings, this.#sampleRateHz);
    this.#kernel.set([decay_s, damping, pre_delay_ms, LOW_CUT_HZ]);
    if (this.#left === 0) this.#kernel.reset();
  }

  /** Adds the reverb of the input to the sum; the input is overwritten. */
  add(
    [inLeft, inRight]: readonly [Float32Array, Float32Array],
    hasInput: boolean,
    frames: number,
    [sumLeft, sumRight]: readonly [Float32Array, Float32Array],
  ): void {
    if (hasInput) this.#left = this.#tailFrames;
    if (this.#left === 0) return;
    this.#kernel.process(inLeft, inRight, frames);
    for (let n = 0; n < frames; n++) {
      sumLeft[n]! += inLeft[n]!;
      sumRight[n]! += inRight[n]!;
    }
    if (hasInput) return;
    this.#left = Math.max(0, this.#left - frames);
    if (this.#left === 0) this.#kernel.reset();
  }
}

/** Returns how long a reverb rings after its input, in frames: to −90 dB. */
export function reverbFrames({ decay_s, pre_delay_ms }: ReverbSettings, sampleRateHz: number): number {
  return Math.ceil((1.5 * decay_s + pre_delay_ms / 1000) * sampleRateHz);
}
