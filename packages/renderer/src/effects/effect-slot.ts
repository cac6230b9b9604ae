import type { EffectType } from '@stem-studio/contract/decks/effects';
import type { EffectClock } from './effect-clock.ts';
import { type EffectSetting, type EffectTiming, MAX_TIME_SECONDS, MIN_TIME_FRAMES } from './effect-kernel.ts';
import { EffectUnit } from './effect-unit.ts';

/**
 * Slot of an effect: the unit of its type, and those of earlier types while they ring out, which come after it. Units
 * are created when their type is first turned on. Allocates nothing in `process`.
 */
export class EffectSlot {
  readonly #sampleRateHz: number;
  readonly #units: EffectUnit[] = [];
  readonly #unitOf = new Map<EffectType, EffectUnit>();
  readonly #timing: EffectTiming = { frames: 1, cycle: 0, step: 0, beat: 0, beatsPerFrame: 0, beats: 1 };
  #current: EffectUnit | null = null;
  #beats: number | null = null;
  #ms = 500;
  /** Position of a time in ms, in cycles. */
  #freeCycle = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Whether anything is on or rings out. */
  get isActive(): boolean {
    for (let index = 0; index < this.#units.length; index++) if (this.#units[index]!.isActive) return true;
    return false;
  }

  /** Sets type and parameters. */
  set({ type, isOn, wet, beats, ms, values }: EffectSetting): void {
    const unit = this.#unitOf.get(type) ?? (isOn ? this.#create(type) : null);
    if (this.#current !== unit) this.#current?.set(false, wet, values);
    unit?.set(isOn, wet, values);
    this.#current = unit;
    this.#beats = beats;
    this.#ms = ms;
  }

  /** Processes a block of at most 128 samples in place. */
  process(left: Float32Array, right: Float32Array, frames: number, clock: EffectClock): void {
    if (!this.isActive) return;
    this.#setTiming(clock);
    this.#current?.process(left, right, frames, this.#timing);
    for (let index = 0; index < this.#units.length; index++) {
      const unit = this.#units[index]!;
      if (unit !== this.#current) unit.process(left, right, frames, this.#timing);
    }
    this.#freeCycle += frames / this.#timing.frames;
  }

  #create(type: EffectType): EffectUnit {
    const unit = new EffectUnit(type, this.#sampleRateHz);
    this.#units.push(unit);
    this.#unitOf.set(type, unit);
    return unit;
  }

  #setTiming({ hasTempo, beat, beatsPerFrame }: EffectClock): void {
    const timing = this.#timing;
    const isSynced = this.#beats !== null && hasTempo && beatsPerFrame > 0;
    const most = MAX_TIME_SECONDS * this.#sampleRateHz;
    let beats = this.#beats ?? 1;
    // Halved, so that it stays on the beat.
    if (isSynced) while (beats / beatsPerFrame > most) beats /= 2;
    const exact = isSynced ? beats / beatsPerFrame : (this.#ms / 1000) * this.#sampleRateHz;
    timing.frames = Math.max(MIN_TIME_FRAMES, Math.round(Math.min(most, exact)));
    timing.beats = beats;
    timing.beat = beat;
    timing.beatsPerFrame = isSynced ? beatsPerFrame : 0;
    timing.cycle = isSynced ? beat / beats : this.#freeCycle;
    timing.step = isSynced ? beatsPerFrame / beats : 1 / timing.frames;
  }
}
