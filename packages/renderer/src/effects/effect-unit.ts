import type { EffectType } from '@stem-studio/contract/decks/effects';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import { createEffectKernel } from './create-effect-kernel.ts';
import type { EffectKernel, EffectTiming } from './effect-kernel.ts';

/** Types that are added to the dry signal and ring out; all others replace it. */
const ringing: ReadonlySet<EffectType> = new Set<EffectType>(['echo', 'delay', 'reverb']);
/** Level below which a tail has ended, −100 dB, and below which an input is silent. */
const TAIL_END = 1e-5;
const SILENCE = 1e-9;

/**
 * An effect of one type with its way into the signal: `out = dry · gain + kernel(dry · send) · wet`.
 *
 * An effect that rings out (echo, delay, reverb) keeps the dry signal at full level up to a mix of ½; turned off, it
 * gets no more input and its tail stays. Any other is crossfaded with the dry signal. All gains move in ramps. Where
 * nothing is audible, nothing is computed. Allocates nothing in `process`.
 */
export class EffectUnit {
  /** Whether it is on or rings out. */
  isActive = false;
  readonly #kernel: EffectKernel;
  readonly #rings: boolean;
  readonly #send: GainRamp;
  readonly #dry: GainRamp;
  readonly #wet: GainRamp;
  readonly #left = new Float32Array(BLOCK_FRAMES);
  readonly #right = new Float32Array(BLOCK_FRAMES);
  #isOn = false;
  #silentFrames = 0;

  constructor(type: EffectType, sampleRateHz: number) {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * sampleRateHz);
    this.#kernel = createEffectKernel(type, sampleRateHz);
    this.#rings = ringing.has(type);
    this.#send = new GainRamp(0, ramp);
    this.#dry = new GainRamp(1, ramp);
    this.#wet = new GainRamp(0, ramp);
  }

  /** Turns it on or off and sets its mix and parameters. */
  set(isOn: boolean, mix: number, values: readonly number[]): void {
    if (isOn) this.#kernel.set(values);
    if (isOn && !this.#isOn) {
      if (!this.isActive) {
        this.#kernel.reset();
        // What was silent may begin with the present mix; only what goes into it must not jump.
        this.#wet.set(this.#rings ? wetGain(mix) : 0, true);
      }
      this.#kernel.begin();
      this.isActive = true;
      this.#silentFrames = 0;
    }
    this.#isOn = isOn;
    if (this.#rings) {
      this.#send.set(isOn ? 1 : 0);
      this.#dry.set(isOn ? dryGain(mix) : 1);
      if (isOn) this.#wet.set(wetGain(mix));
    } else {
      this.#send.set(1, true);
      this.#dry.set(isOn ? 1 - mix : 1);
      this.#wet.set(isOn ? mix : 0);
    }
  }

  /** Processes a block of at most 128 samples in place. */
  process(left: Float32Array, right: Float32Array, frames: number, timing: EffectTiming): void {
    if (!this.isActive) return;
    const isInputSilent = peakOf(left, right, frames) < SILENCE;
    if (isInputSilent && this.#silentFrames > this.#kernel.tailFrames) {
      this.#rest(frames);
      return;
    }
    this.#feed(left, right, frames);
    this.#kernel.process(this.#left, this.#right, frames, timing);
    const hasInput = !isInputSilent && this.#send.target > 0;
    const isSilent = !hasInput && peakOf(this.#left, this.#right, frames) < TAIL_END;
    this.#silentFrames = isSilent ? this.#silentFrames + frames : 0;
    this.#add(left, right, frames);
    if (!this.#isOn && this.#hasEnded()) this.isActive = false;
  }

  /** Fills the kernel's block with the signal that goes into it. */
  #feed(left: Float32Array, right: Float32Array, frames: number): void {
    const send = this.#send;
    if (send.isSettled) {
      const gain = send.target;
      for (let n = 0; n < frames; n++) {
        this.#left[n] = left[n]! * gain;
        this.#right[n] = right[n]! * gain;
      }
      return;
    }
    for (let n = 0; n < frames; n++) {
      const gain = send.next();
      this.#left[n] = left[n]! * gain;
      this.#right[n] = right[n]! * gain;
    }
  }

  /** Mixes the block with the wet signal. */
  #add(left: Float32Array, right: Float32Array, frames: number): void {
    const dry = this.#dry;
    const wet = this.#wet;
    if (dry.isSettled && wet.isSettled) {
      const dryLevel = dry.target;
      const wetLevel = wet.target;
      for (let n = 0; n < frames; n++) {
        left[n] = left[n]! * dryLevel + this.#left[n]! * wetLevel;
        right[n] = right[n]! * dryLevel + this.#right[n]! * wetLevel;
      }
      return;
    }
    for (let n = 0; n < frames; n++) {
      const dryLevel = dry.next();
      const wetLevel = wet.next();
      left[n] = left[n]! * dryLevel + this.#left[n]! * wetLevel;
      right[n] = right[n]! * dryLevel + this.#right[n]! * wetLevel;
    }
  }

  #hasEnded(): boolean {
    const isDry = this.#dry.isSettled && this.#send.isSettled;
    if (!this.#rings) return isDry && this.#wet.isSettled;
    return isDry && this.#silentFrames > this.#kernel.tailFrames;
  }

  /** Moves the gains on while nothing is audible. */
  #rest(frames: number): void {
    this.#send.advance(frames);
    this.#dry.advance(frames);
    this.#wet.advance(frames);
    if (!this.#isOn && this.#hasEnded()) this.isActive = false;
  }
}

function dryGain(mix: number): number {
  return Math.min(1, 2 - 2 * mix);
}

function wetGain(mix: number): number {
  return Math.min(1, 2 * mix);
}

function peakOf(left: Float32Array, right: Float32Array, frames: number): number {
  let peak = 0;
  for (let n = 0; n < frames; n++) {
    const l = Math.abs(left[n]!);
    const r = Math.abs(right[n]!);
    if (l > peak) peak = l;
    if (r > peak) peak = r;
  }
  return peak;
}
