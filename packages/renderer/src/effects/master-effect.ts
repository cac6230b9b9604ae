import { EffectClock } from './effect-clock.ts';
import type { EffectSetting } from './effect-kernel.ts';
import { EffectSlot } from './effect-slot.ts';

/** Effect on the master, synced to the beats of the leading deck. Allocates nothing in `process`. */
export class MasterEffect {
  readonly #slot: EffectSlot;
  readonly #clock: EffectClock;

  constructor(sampleRateHz: number) {
    this.#slot = new EffectSlot(sampleRateHz);
    this.#clock = new EffectClock(sampleRateHz);
  }

  /** Whether it is on or rings out. */
  get isActive(): boolean {
    return this.#slot.isActive;
  }

  /** Sets the effect. */
  set(setting: EffectSetting): void {
    this.#slot.set(setting);
  }

  /** Follows the clock of the leading deck in this block. */
  follow(clock: EffectClock): void {
    this.#clock.take(clock);
  }

  /** Processes a block of at most 128 samples in place. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    this.#slot.process(left, right, frames, this.#clock);
    this.#clock.advance(frames);
  }
}
