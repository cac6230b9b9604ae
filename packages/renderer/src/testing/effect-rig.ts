import { createEffectSlot } from '@stem-studio/contract/decks/effect-slot';
import { type EffectType, effectPosition, effectSpecs } from '@stem-studio/contract/decks/effects';
import { EffectClock } from '../effects/effect-clock.ts';
import type { EffectSetting } from '../effects/effect-kernel.ts';
import { effectSetting } from '../effects/effect-setting.ts';
import { EffectSlot } from '../effects/effect-slot.ts';

/** Rate of all tests of effects, in Hz. */
export const EFFECT_RATE_HZ = 44_100;
const BLOCK = 128;

/** Returns the setting of a type, on, with the values of parameters by their names. */
export function effectOf(
  type: EffectType,
  values: Readonly<Record<string, number>> = {},
  changes: Partial<EffectSetting> = {},
): EffectSetting {
  const slot = createEffectSlot(type);
  const setting = effectSetting({ ...slot, is_on: true });
  const specs = effectSpecs[type].parameters;
  for (const name of Object.keys(values))
    if (!specs.some((spec) => spec.name === name)) throw new Error(`${type} has no parameter ${name}`);
  return {
    ...setting,
    values: specs.map((spec, index) => {
      const value = values[spec.name];
      if (value === undefined) return setting.values[index] ?? 0;
      // Only values that a knob reaches.
      const position = effectPosition(spec, value);
      if (position === 0 && value < spec.min) throw new Error(`${spec.name} is at least ${spec.min}`);
      return value;
    }),
    ...changes,
  };
}

/** A slot of effects that renders samples of a function, with beats at a constant tempo or without any. */
export class EffectRig {
  readonly slot = new EffectSlot(EFFECT_RATE_HZ);
  readonly clock = new EffectClock(EFFECT_RATE_HZ);
  #frame = 0;

  /** @param beatFrames samples of a beat; null for no grid */
  constructor(beatFrames: number | null = 22_050) {
    if (beatFrames === null) return;
    this.clock.hasTempo = true;
    this.clock.beatsPerFrame = 1 / beatFrames;
  }

  /** Renders the next samples of an input by its frame since the beginning, left and right. */
  render(
    frames: number,
    left: (frame: number) => number,
    right: (frame: number) => number = left,
  ): { left: Float32Array; right: Float32Array } {
    const length = Math.ceil(frames / BLOCK) * BLOCK;
    const out = { left: new Float32Array(length), right: new Float32Array(length) };
    for (let at = 0; at < length; at += BLOCK) {
      const [l, r] = [out.left.subarray(at, at + BLOCK), out.right.subarray(at, at + BLOCK)];
      for (let n = 0; n < BLOCK; n++) {
        l[n] = left(this.#frame + at + n);
        r[n] = right(this.#frame + at + n);
      }
      this.slot.process(l, r, BLOCK, this.clock);
      this.clock.advance(BLOCK);
    }
    this.#frame += length;
    return out;
  }
}

/** Silence. */
export const silence = () => 0;

/** Returns an impulse at a frame. */
export function impulseAt(frame: number): (at: number) => number {
  return (at) => (at === frame ? 1 : 0);
}

/** Returns noise of ±`peak` that is the same at each call. */
export function noise(peak = 0.5): (frame: number) => number {
  return (frame) => {
    const x = Math.sin(frame * 12.9898 + 78.233) * 43_758.5453;
    return peak * (2 * (x - Math.floor(x)) - 1);
  };
}

/** Returns a sine. */
export function sine(hz: number, peak = 0.5): (frame: number) => number {
  return (frame) => peak * Math.sin((2 * Math.PI * hz * frame) / EFFECT_RATE_HZ);
}

/** Returns the root mean square of samples `from` to `to`. */
export function levelOf(samples: Float32Array, from = 0, to = samples.length): number {
  let sum = 0;
  for (let n = from; n < to; n++) sum += samples[n]! ** 2;
  return Math.sqrt(sum / (to - from));
}

/** Returns the largest step between two samples. */
export function largestStep(samples: Float32Array): number {
  let most = 0;
  for (let n = 1; n < samples.length; n++) most = Math.max(most, Math.abs(samples[n]! - samples[n - 1]!));
  return most;
}
