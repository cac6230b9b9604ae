import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { SafetyLimiter } from '../gain/safety-limiter.ts';
import type { MasterSetting } from './dj-engine-messages.ts';

/**
 * What the headphones hear: `cued decks, master → blend of equal power → clicks → volume → limiter`. The master is taken
 * before its volume, so that it can be listened to while the room hears nothing. Allocates nothing in use.
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

  /** Turns volume and blend. */
  set({ headphoneVolume, headphoneMix }: MasterSetting): void {
    const angle = (Math.PI / 4) * (1 + Math.min(1, Math.max(-1, headphoneMix)));
    this.#cued.set(Math.cos(angle));
    this.#master.set(Math.sin(angle));
    this.#volume.set(Math.min(1, Math.max(0, headphoneVolume)));
  }

  /** Makes a block in place of the cued decks. `clicks` is null where they are not heard here. */
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
