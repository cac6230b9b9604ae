import { ThreeBandEq } from '@stem-studio/dsp/filter/three-band-eq';
import { GainRamp } from './gain-ramp.ts';

/** Crossfade from the dry signal to the equaliser, whose phase differs. */
const EQ_SECONDS = 0.03;

/** Gains of the bands as factors; 0 kills a band. */
export interface BandGains {
  readonly low: number;
  readonly mid: number;
  readonly high: number;
}

/**
 * Equaliser that passes samples unchanged until one of its bands is moved for the first time. Allocates nothing in
 * `process`.
 */
export class SwitchedEq {
  readonly #eq: ThreeBandEq;
  readonly #mix: GainRamp;
  readonly #dryLeft: Float32Array;
  readonly #dryRight: Float32Array;

  /**
   * @param blockFrames most frames of a block
   * @param mostGain largest gain of a band, as a factor
   */
  constructor(sampleRateHz: number, blockFrames: number, mostGain?: number) {
    this.#eq = new ThreeBandEq(sampleRateHz, mostGain);
    this.#mix = new GainRamp(0, Math.floor(EQ_SECONDS * sampleRateHz));
    this.#dryLeft = new Float32Array(blockFrames);
    this.#dryRight = new Float32Array(blockFrames);
  }

  /** Moves the bands to other gains. */
  set({ low, mid, high }: BandGains): void {
    this.#eq.set(low, mid, high);
    if (low !== 1 || mid !== 1 || high !== 1) this.#mix.set(1);
  }

  /** Takes on the gains at once, and forgets the samples before, where nothing is audible. */
  jump(): void {
    this.#eq.reset();
    this.#mix.set(this.#mix.target, true);
  }

  /** Processes a block in place. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    const mix = this.#mix;
    if (mix.isSettled && mix.value === 0) return;
    const isSettled = mix.isSettled;
    if (!isSettled) {
      for (let n = 0; n < frames; n++) {
        this.#dryLeft[n] = left[n]!;
        this.#dryRight[n] = right[n]!;
      }
    }
    this.#eq.process(left, right, frames);
    if (isSettled) return;
    for (let n = 0; n < frames; n++) {
      const wet = mix.next();
      left[n] = wet * left[n]! + (1 - wet) * this.#dryLeft[n]!;
      right[n] = wet * right[n]! + (1 - wet) * this.#dryRight[n]!;
    }
  }
}
