import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { SafetyLimiter } from '../gain/safety-limiter.ts';
import type { MasterSetting } from './dj-engine-messages.ts';

/**
 * Headphone bus: `cued decks, master → equal-power blend → clicks → volume → limiter`. The master is taken before its
 * volume fader, so that it can be monitored while the speakers are silent. Allocates nothing in `process`.
 */
export class HeadphoneMix {
  readonly #cued: GainRamp;
  readonly #master: GainRamp;
  readonly #volume: GainRamp;
  readonly #limiter: SafetyLimiter;

  constructor(sampleRateHz: number) {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * sampleRateHz);
    this.#cued = new GainRamp(1, ramp);
    this.#master = new GainRamp(0, ramp);
    this.#volume = new GainRamp(1, ramp);
    this.#limiter = new SafetyLimiter(sampleRateHz);
  }

  /** Sets volume and blend. */
  set({ headphoneVolume, headphoneMix }: MasterSetting): void {
    const angle = (Math.PI / 4) * (1 + Math.min(1, Math.max(-1, headphoneMix)));
    this.#cued.set(Math.cos(angle));
    this.#master.set(Math.sin(angle));
    this.#volume.set(Math.min(1, Math.max(0, headphoneVolume)));
  }

  /**
   * Replaces the block of the cued decks by the mix. `clicks` is null where the metronome is not on the headphones.
   */
  process(
    cued: readonly [Float32Array, Float32Array],
    master: readonly [Float32Array, Float32Array],
    clicks: Float32Array | null,
    frames: number,
  ): void {
    const [left, right] = cued;
    for (let n = 0; n < frames; n++) {
      const own = this.#cued.next();
      const main = this.#master.next();
      const volume = this.#volume.next();
      const click = clicks ? clicks[n]! : 0;
      left[n] = (left[n]! * own + master[0][n]! * main + click) * volume;
      right[n] = (right[n]! * own + master[1][n]! * main + click) * volume;
    }
    this.#limiter.process(left, right, frames);
  }
}
