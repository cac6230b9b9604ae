import type { EffectKernel, EffectTiming } from './effect-kernel.ts';
import { SmoothedValue } from './smoothed-value.ts';
import { SWEEP_FRAMES, Sweep } from './sweep.ts';

/** Damping without and with full resonance: a quality of 0.7 and of 5. */
const DAMPING = { most: Math.SQRT2, least: 0.2 };
const CUTOFF_HZ = { least: 25, most: 18_000 };
const SILENCE = 1e-15;

/**
 * Filter whose cutoff is swept in octaves: low-pass, band-pass or high-pass of 12 dB an octave with resonance. Another
 * mode is faded in.
 *
 * @see V. Zavalishin, "The art of VA filter design", 2012 (trapezoidal state variable filter)
 */
export class FilterKernel implements EffectKernel {
  readonly tailFrames = 1024;
  readonly #sampleRateHz: number;
  readonly #sweep: Sweep;
  readonly #state = new Float64Array(4);
  readonly #octave = new SmoothedValue(10);
  readonly #depth = new SmoothedValue(0);
  readonly #damping = new SmoothedValue(DAMPING.most);
  readonly #low = new SmoothedValue(1);
  readonly #band = new SmoothedValue(0);
  readonly #high = new SmoothedValue(0);
  #g = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#sweep = new Sweep(sampleRateHz);
  }

  set(values: readonly number[]): void {
    const [cutoffHz = 1000, depthOctaves = 0, resonance = 0, mode = 0] = values;
    this.#octave.aim(Math.log2(cutoffHz));
    this.#depth.aim(depthOctaves);
    this.#damping.aim(DAMPING.most * (DAMPING.least / DAMPING.most) ** resonance);
    this.#low.aim(mode === 0 ? 1 : 0);
    this.#band.aim(mode === 1 ? 1 : 0);
    this.#high.aim(mode === 2 ? 1 : 0);
  }

  reset(): void {
    this.#state.fill(0);
    this.#sweep.reset();
    this.#g = 0;
    this.#octave.jump();
    this.#depth.jump();
    this.#damping.jump();
    this.#low.jump();
    this.#band.jump();
    this.#high.jump();
  }

  begin(): void {}

  process(left: Float32Array, right: Float32Array, frames: number, timing: EffectTiming): void {
    this.#octave.begin(frames);
    this.#depth.begin(frames);
    this.#damping.begin(frames);
    this.#low.begin(frames);
    this.#band.begin(frames);
    this.#high.begin(frames);
    for (let from = 0; from < frames; from += SWEEP_FRAMES) {
      const count = Math.min(SWEEP_FRAMES, frames - from);
      const at = from + count;
      const depth = 0.5 * (this.#depth.value + this.#depth.step * at);
      const octave = this.#octave.value + this.#octave.step * at + depth * this.#sweep.next(timing, at, 0);
      const hz = Math.min(CUTOFF_HZ.most, 0.45 * this.#sampleRateHz, Math.max(CUTOFF_HZ.least, 2 ** octave));
      const target = Math.tan((Math.PI * hz) / this.#sampleRateHz);
      const g = this.#g === 0 ? target : this.#g;
      this.#filter(left, 0, from, count, g, target);
      this.#filter(right, 2, from, count, g, target);
      this.#g = target;
    }
    for (let at = 0; at < 4; at++) if (Math.abs(this.#state[at]!) < SILENCE) this.#state[at] = 0;
  }

  #filter(
    samples: Float32Array,
    side: number,
    from: number,
    count: number,
    begin: number,
    end: number,
  ): void {
    const at = from + count;
    const damping = this.#damping.value + this.#damping.step * at;
    const toLow = this.#low.value + this.#low.step * at;
    const toBand = damping * (this.#band.value + this.#band.step * at);
    const toHigh = this.#high.value + this.#high.step * at;
    const step = (end - begin) / count;
    let g = begin;
    let first = this.#state[side]!;
    let second = this.#state[side + 1]!;
    for (let n = from; n < at; n++) {
      g += step;
      const high = (samples[n]! - (g + damping) * first - second) / (1 + g * (g + damping));
      const band = first + g * high;
      const low = second + g * band;
      first = band + g * high;
      second = low + g * band;
      samples[n] = toLow * low + toBand * band + toHigh * high;
    }
    this.#state[side] = first;
    this.#state[side + 1] = second;
  }
}
