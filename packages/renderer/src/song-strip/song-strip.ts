import { mixBounds } from '@stem-studio/contract/limits';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { panGain } from '../gain/pan-law.ts';
import { SafetyLimiter } from '../gain/safety-limiter.ts';
import { SwitchedEq } from '../gain/switched-eq.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import type { StemTone } from '../stem-mixer/stem-mixer-messages.ts';

/**
 * Pan and equaliser of a whole song that another player plays: `equaliser → pan → limiter`. Until either is moved,
 * samples pass unchanged, 1.5 ms later. Allocates nothing in `process`.
 */
export class SongStrip {
  readonly #eq: SwitchedEq;
  readonly #left: GainRamp;
  readonly #right: GainRamp;
  readonly #limiter: SafetyLimiter;

  constructor(sampleRateHz: number) {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * sampleRateHz);
    this.#eq = new SwitchedEq(sampleRateHz, BLOCK_FRAMES, 10 ** (mixBounds.eqDb.max / 20));
    this.#left = new GainRamp(1, ramp);
    this.#right = new GainRamp(1, ramp);
    this.#limiter = new SafetyLimiter(sampleRateHz);
  }

  /** Latency in samples. */
  get delayFrames(): number {
    return this.#limiter.delayFrames;
  }

  /** Sets pan and equaliser. */
  set(tone: StemTone): void {
    this.#eq.set(tone);
    this.#left.set(panGain(tone.pan));
    this.#right.set(panGain(-tone.pan));
  }

  /** Processes a block of at most {@link BLOCK_FRAMES} in place. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    this.#eq.process(left, right, frames);
    for (let n = 0; n < frames; n++) {
      left[n]! *= this.#left.next();
      right[n]! *= this.#right.next();
    }
    this.#limiter.process(left, right, frames);
  }
}
