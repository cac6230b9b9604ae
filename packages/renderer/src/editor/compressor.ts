import type { LaneCompressor } from '@stem-studio/contract/resources/lane-effects';

/** Width of the soft knee in dB. */
const KNEE_DB = 6;
/** Time in which a change of the gain after it is reached, in seconds. */
const MAKEUP_SECONDS = 0.01;
/** Gain reduction that is none, in dB. */
const NONE_DB = 1e-3;
/** dB of a natural logarithm. */
const DB_PER_LOG = 20 / Math.LN10;

/**
 * Compressor of a stereo signal, whose louder side sets the gain of both: level in dB → soft knee → gain reduction,
 * smoothed with the attack while it grows and with the release while it shrinks. Without a setting samples pass unchanged
 * once the last reduction has been released. No delay; allocates nothing in `process`.
 *
 * @see D. Giannoulis, M. Massberg, J. D. Reiss, "Digital dynamic range compressor design: a tutorial and analysis", JAES
 *   60(6), 2012
 */
export class Compressor {
  readonly #sampleRateHz: number;
  readonly #makeupPole: number;
  #threshold = 0;
  /** Slope of the reduction above the threshold: 1/ratio − 1. */
  #slope = 0;
  #attack = 0;
  #release = 0;
  #makeupTarget = 0;
  #makeup = 0;
  #reduction = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#makeupPole = this.#pole(1000 * MAKEUP_SECONDS);
    this.#release = this.#pole(100);
  }

  /** Gain reduction at the end of the last block, in dB, 0 or less. */
  get reductionDb(): number {
    return this.#reduction;
  }

  /** Sets it; null ends the compression without a click. */
  set(setting: LaneCompressor | null): void {
    this.#slope = setting ? 1 / setting.ratio - 1 : 0;
    this.#makeupTarget = setting?.makeup_db ?? 0;
    if (!setting) return;
    this.#threshold = setting.threshold_db;
    this.#attack = this.#pole(setting.attack_ms);
    this.#release = this.#pole(setting.release_ms);
  }

  /** Forgets the level, and takes on the setting at once. */
  reset(): void {
    this.#reduction = 0;
    this.#makeup = this.#makeupTarget;
  }

  /** Processes a block in place. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    if (this.#isIdle()) return;
    const knee = Math.exp((this.#threshold - KNEE_DB / 2) / DB_PER_LOG);
    let reduction = this.#reduction;
    let makeup = this.#makeup;
    for (let n = 0; n < frames; n++) {
      const level = Math.max(Math.abs(left[n]!), Math.abs(right[n]!));
      // Below the knee there is nothing to calculate.
      const wanted =
        level <= knee ? 0 : this.#slope * this.#over(DB_PER_LOG * Math.log(level) - this.#threshold);
      const pole = wanted < reduction ? this.#attack : this.#release;
      reduction = wanted + pole * (reduction - wanted);
      makeup = this.#makeupTarget + this.#makeupPole * (makeup - this.#makeupTarget);
      const gain = Math.exp((reduction + makeup) / DB_PER_LOG);
      left[n]! *= gain;
      right[n]! *= gain;
    }
    this.#reduction = reduction;
    this.#makeup = makeup;
  }

  #isIdle(): boolean {
    if (this.#slope !== 0 || this.#makeupTarget !== 0) return false;
    return this.#reduction > -NONE_DB && Math.abs(this.#makeup) < NONE_DB;
  }

  /** Returns how far a level is above the threshold, with the knee. */
  #over(db: number): number {
    if (2 * db <= -KNEE_DB) return 0;
    return 2 * db < KNEE_DB ? (db + KNEE_DB / 2) ** 2 / (2 * KNEE_DB) : db;
  }

  #pole(ms: number): number {
    return Math.exp(-1000 / (ms * this.#sampleRateHz));
  }
}
