import type { EffectKernel, EffectTiming } from './effect-kernel.ts';
import { SmoothedValue } from './smoothed-value.ts';
import { SWEEP_FRAMES, Sweep } from './sweep.ts';

/** All-pass stages: two make a notch. */
const STAGES = 6;
const SILENCE = 1e-15;

/**
 * Phaser: six all-pass filters of first order in series, whose corner is swept in octaves, with feedback. Mixed with
 * the dry signal it has three notches, where the phase is turned by odd multiples of 180°. With spread the right side
 * is up to half a sweep ahead.
 *
 * @see U. Zölzer, "DAFX: Digital Audio Effects", 2nd ed., 2.4.3
 */
export class PhaserKernel implements EffectKernel {
  readonly tailFrames = 1024;
  readonly #sampleRateHz: number;
  readonly #sweeps: readonly [Sweep, Sweep];
  /** States of the stages, then the last output; left first. */
  readonly #state = new Float64Array(2 * (STAGES + 1));
  /** Corners of both sides as binary logarithms of Hz, as numbers passed between functions would be boxed. */
  readonly #octaves = new Float64Array(2);
  readonly #coefficients = new Float64Array(2);
  readonly #depth = new SmoothedValue(0);
  readonly #octave = new SmoothedValue(9);
  readonly #feedback = new SmoothedValue(0);
  readonly #spread = new SmoothedValue(0);
  #isFirst = true;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#sweeps = [new Sweep(sampleRateHz), new Sweep(sampleRateHz)];
  }

  set(values: readonly number[]): void {
    const [depthOctaves = 0, centreHz = 500, feedback = 0, spread = 0] = values;
    this.#depth.aim(depthOctaves);
    this.#octave.aim(Math.log2(centreHz));
    this.#feedback.aim(feedback);
    this.#spread.aim(spread);
  }

  reset(): void {
    this.#state.fill(0);
    this.#sweeps[0].reset();
    this.#sweeps[1].reset();
    this.#isFirst = true;
    this.#depth.jump();
    this.#octave.jump();
    this.#feedback.jump();
    this.#spread.jump();
  }

  begin(): void {}

  process(left: Float32Array, right: Float32Array, frames: number, timing: EffectTiming): void {
    this.#depth.begin(frames);
    this.#octave.begin(frames);
    this.#feedback.begin(frames);
    this.#spread.begin(frames);
    for (let from = 0; from < frames; from += SWEEP_FRAMES) {
      const count = Math.min(SWEEP_FRAMES, frames - from);
      const at = from + count;
      const octave = this.#octave.value + this.#octave.step * at;
      const depth = 0.5 * (this.#depth.value + this.#depth.step * at);
      const feedback = this.#feedback.value + this.#feedback.step * at;
      const spread = 0.5 * (this.#spread.value + this.#spread.step * at);
      this.#octaves[0] = octave + depth * this.#sweeps[0].next(timing, at, 0);
      this.#octaves[1] = octave + depth * this.#sweeps[1].next(timing, at, spread);
      this.#filter(left, 0, from, count, feedback);
      this.#filter(right, 1, from, count, feedback);
      this.#isFirst = false;
    }
  }

  #filter(samples: Float32Array, side: number, from: number, count: number, feedback: number): void {
    const state = this.#state;
    const first = side * (STAGES + 1);
    const hz = Math.min(2 ** this.#octaves[side]!, 0.45 * this.#sampleRateHz);
    const tan = Math.tan((Math.PI * hz) / this.#sampleRateHz);
    const target = (tan - 1) / (tan + 1);
    let coefficient = this.#isFirst ? target : this.#coefficients[side]!;
    const step = (target - coefficient) / count;
    let last = state[first + STAGES]!;
    for (let n = from; n < from + count; n++) {
      coefficient += step;
      let sample = samples[n]! + feedback * last;
      for (let stage = first; stage < first + STAGES; stage++) {
        const out = coefficient * sample + state[stage]!;
        state[stage] = sample - coefficient * out;
        sample = out;
      }
      last = sample;
      samples[n] = sample;
    }
    state[first + STAGES] = last;
    for (let at = first; at <= first + STAGES; at++) if (Math.abs(state[at]!) < SILENCE) state[at] = 0;
    this.#coefficients[side] = target;
  }
}
