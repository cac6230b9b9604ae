import type { EffectKernel, EffectTiming } from './effect-kernel.ts';
import { SmoothedValue } from './smoothed-value.ts';
import { SWEEP_FRAMES, Sweep } from './sweep.ts';

const MAX_SECONDS = 0.02;
/** Largest part of the delay that is swept to either side. */
const MOST_DEPTH = 0.95;
/** Shortest delay in samples that can be interpolated. */
const LEAST_FRAMES = 2;
const SILENCE = 1e-15;
/** Time in which its input fades in, because it comes later than the dry signal. */
const FADE_SECONDS = 0.01;

/** Indices of the values in a part of a block. */
const [DELAY, DEPTH, FEEDBACK, OFFSET] = [0, 1, 2, 3];

/**
 * Flanger: a delay of milliseconds that is swept by a sine, read between samples by cubic interpolation, with feedback.
 * Mixed with the dry signal it is a comb filter with notches at odd multiples of half the delay's inverse. With spread
 * the right side is up to half a sweep ahead.
 */
export class FlangerKernel implements EffectKernel {
  readonly tailFrames: number;
  readonly #sampleRateHz: number;
  readonly #sides: readonly [FlangerSide, FlangerSide];
  /** Values of the parameters, as numbers passed between functions would be boxed. */
  readonly #now = new Float64Array(4);
  readonly #depth = new SmoothedValue(0);
  readonly #delay = new SmoothedValue(1);
  readonly #feedback = new SmoothedValue(0);
  readonly #spread = new SmoothedValue(0);

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#sides = [new FlangerSide(sampleRateHz), new FlangerSide(sampleRateHz)];
    this.tailFrames = Math.round(MAX_SECONDS * sampleRateHz);
  }

  set(values: readonly number[]): void {
    const [depth = 0, delayMs = 1, feedback = 0, spread = 0] = values;
    this.#depth.aim(depth);
    this.#delay.aim((delayMs / 1000) * this.#sampleRateHz);
    this.#feedback.aim(feedback);
    this.#spread.aim(spread);
  }

  reset(): void {
    this.#sides[0].clear();
    this.#sides[1].clear();
    this.#depth.jump();
    this.#delay.jump();
    this.#feedback.jump();
    this.#spread.jump();
  }

  begin(): void {}

  process(left: Float32Array, right: Float32Array, frames: number, timing: EffectTiming): void {
    this.#depth.begin(frames);
    this.#delay.begin(frames);
    this.#feedback.begin(frames);
    this.#spread.begin(frames);
    for (let from = 0; from < frames; from += SWEEP_FRAMES) {
      const count = Math.min(SWEEP_FRAMES, frames - from);
      const at = from + count;
      const now = this.#now;
      now[DELAY] = this.#delay.value + this.#delay.step * at;
      now[DEPTH] = MOST_DEPTH * (this.#depth.value + this.#depth.step * at);
      now[FEEDBACK] = this.#feedback.value + this.#feedback.step * at;
      now[OFFSET] = 0;
      this.#sides[0].process(left, from, count, now, timing);
      now[OFFSET] = 0.5 * (this.#spread.value + this.#spread.step * at);
      this.#sides[1].process(right, from, count, now, timing);
    }
  }
}

/** One side of the flanger. */
class FlangerSide {
  readonly #ring: Float32Array;
  readonly #mask: number;
  readonly #sweep: Sweep;
  readonly #slope: number;
  #at = 0;
  #delay = 0;
  #gain = 0;

  constructor(sampleRateHz: number) {
    this.#ring = new Float32Array(2 ** Math.ceil(Math.log2(MAX_SECONDS * sampleRateHz + 8)));
    this.#mask = this.#ring.length - 1;
    this.#slope = 1 / (FADE_SECONDS * sampleRateHz);
    this.#sweep = new Sweep(sampleRateHz);
  }

  clear(): void {
    this.#ring.fill(0);
    this.#sweep.reset();
    this.#gain = 0;
    this.#delay = 0;
  }

  process(samples: Float32Array, from: number, count: number, now: Float64Array, timing: EffectTiming): void {
    const ring = this.#ring;
    const mask = this.#mask;
    const feedback = now[FEEDBACK]!;
    const sweep = this.#sweep.next(timing, from + count, now[OFFSET]!);
    const swept = now[DELAY]! * (1 + now[DEPTH]! * sweep);
    const target = Math.max(LEAST_FRAMES, Math.min(mask - 4, swept));
    let delay = this.#delay === 0 ? target : this.#delay;
    const step = (target - delay) / count;
    const slope = this.#slope;
    let gain = this.#gain;
    let at = this.#at;
    for (let n = from; n < from + count; n++) {
      delay += step;
      const whole = Math.floor(delay);
      const part = delay - whole;
      const index = at - whole;
      const newer = ring[(index + 1) & mask]!;
      const a = ring[index & mask]!;
      const b = ring[(index - 1) & mask]!;
      const older = ring[(index - 2) & mask]!;
      const slopeA = 0.5 * (b - newer);
      const slopeB = 0.5 * (older - a);
      const bend = slopeA + slopeB - 2 * (b - a);
      const out = a + part * (slopeA + part * (b - a - slopeA - bend + part * bend));
      gain = Math.min(1, gain + slope);
      const into = gain * samples[n]! + feedback * out;
      ring[at] = Math.abs(into) < SILENCE ? 0 : into;
      at = (at + 1) & mask;
      samples[n] = out;
    }
    this.#at = at;
    this.#delay = target;
    this.#gain = gain;
  }
}
