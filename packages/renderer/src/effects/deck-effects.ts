import { EffectClock } from './effect-clock.ts';
import type { EffectSetting } from './effect-kernel.ts';
import { EffectSlot } from './effect-slot.ts';

const SLOTS = 2;

/**
 * Slots of a deck's effects before and after its fader, and those of the headphones: a deck is cued before its fader,
 * where effects after it would be missing, so these are computed for the headphones on their own. A slot that is moved
 * from one side of the fader to the other rings out where it was.
 *
 * `filter → pre-fader slots → fader → post-fader slots → master`, `pre-fader slots → cued slots → headphones`
 */
export class DeckEffects {
  readonly clock: EffectClock;
  readonly #pre: readonly EffectSlot[];
  readonly #post: readonly EffectSlot[];
  readonly #cued: readonly EffectSlot[];
  readonly #settings: (EffectSetting | null)[] = Array.from({ length: SLOTS }, () => null);
  #isCued = false;

  constructor(sampleRateHz: number) {
    const slots = () => Array.from({ length: SLOTS }, () => new EffectSlot(sampleRateHz));
    this.clock = new EffectClock(sampleRateHz);
    this.#pre = slots();
    this.#post = slots();
    this.#cued = slots();
  }

  /** Whether the headphones need other samples than the fader. */
  get hasCued(): boolean {
    return isAnyActive(this.#cued);
  }

  /** Whether any slot has to be processed. */
  get isActive(): boolean {
    return isAnyActive(this.#pre) || isAnyActive(this.#post) || isAnyActive(this.#cued);
  }

  /** Sets a slot, 0 or 1. */
  set(slot: number, setting: EffectSetting): void {
    if (!(slot in this.#settings)) return;
    this.#settings[slot] = setting;
    this.#pre[slot]?.set({ ...setting, isOn: setting.isOn && !setting.isPostFader });
    this.#post[slot]?.set({ ...setting, isOn: setting.isOn && setting.isPostFader });
    this.#setCuedSlot(slot, setting);
  }

  /** Sets whether the deck is in the headphones. */
  setCued(isCued: boolean): void {
    if (isCued === this.#isCued) return;
    this.#isCued = isCued;
    for (const [slot, setting] of this.#settings.entries()) if (setting) this.#setCuedSlot(slot, setting);
  }

  /** Processes a block before the fader, in place. */
  processPre(left: Float32Array, right: Float32Array, frames: number): void {
    run(this.#pre, left, right, frames, this.clock);
  }

  /** Processes a block for the headphones, in place. */
  processCued(left: Float32Array, right: Float32Array, frames: number): void {
    run(this.#cued, left, right, frames, this.clock);
  }

  /** Processes a block after the fader, in place, and moves the clock on. */
  processPost(left: Float32Array, right: Float32Array, frames: number): void {
    run(this.#post, left, right, frames, this.clock);
    this.clock.advance(frames);
  }

  #setCuedSlot(slot: number, setting: EffectSetting): void {
    this.#cued[slot]?.set({ ...setting, isOn: setting.isOn && setting.isPostFader && this.#isCued });
  }
}

function isAnyActive(slots: readonly EffectSlot[]): boolean {
  for (let index = 0; index < slots.length; index++) if (slots[index]!.isActive) return true;
  return false;
}

function run(
  slots: readonly EffectSlot[],
  left: Float32Array,
  right: Float32Array,
  frames: number,
  clock: EffectClock,
): void {
  for (let index = 0; index < slots.length; index++) slots[index]!.process(left, right, frames, clock);
}
