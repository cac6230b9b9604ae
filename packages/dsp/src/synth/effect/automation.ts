import { StateVariableFilter } from '../filter.ts';
import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import type { Insert } from './insert.ts';

/** A value that is linear between points in time (seconds, ascending). */
export type Curve = readonly (readonly [seconds: number, value: number])[];

/** Returns the value of the curve at a time; it is constant before the first and after the last point. */
export function valueAt(curve: Curve, seconds: number): number {
  let before = curve[0];
  if (!before) throw new RangeError('a curve must have at least one point (got none)');
  for (const point of curve) {
    if (point[0] > seconds) {
      const fraction = point[0] > before[0] ? Math.max(0, (seconds - before[0]) / (point[0] - before[0])) : 1;
      return before[1] + (point[1] - before[1]) * fraction;
    }
    before = point;
  }
  return before[1];
}

/** Samples between updates of automated values. */
const STEP = 32;

/** A low-pass or high-pass whose cutoff follows a curve, interpolated in octaves above 20 Hz. */
export class MovingFilter implements Insert {
  readonly #kind: 'low' | 'high';
  readonly #octaves: Curve;
  readonly #left = new StateVariableFilter(1000);
  readonly #right = new StateVariableFilter(1000);

  /** @param cutoffs points of seconds and Hz */
  constructor(kind: 'low' | 'high', cutoffs: Curve) {
    this.#kind = kind;
    this.#octaves = cutoffs.map(([seconds, hz]) => [seconds, Math.log2(hz / 20)] as const);
  }

  process(left: Float32Array, right: Float32Array, count: number, startSample: number): void {
    for (let index = 0; index < count; index++) {
      if (index === 0 || (startSample + index) % STEP === 0) {
        const cutoff = 20 * 2 ** valueAt(this.#octaves, (startSample + index) / SAMPLE_RATE_HZ);
        this.#left.tune(cutoff, 0.8);
        this.#right.tune(cutoff, 0.8);
      }
      this.#left.process(left[index]!);
      this.#right.process(right[index]!);
      left[index] = this.#left[this.#kind];
      right[index] = this.#right[this.#kind];
    }
  }
}

/** A level that follows a curve of decibels. */
export class Fader implements Insert {
  readonly #decibels: Curve;
  #gain = 1;
  #slope = 0;

  constructor(decibels: Curve) {
    this.#decibels = decibels;
  }

  process(left: Float32Array, right: Float32Array, count: number, startSample: number): void {
    for (let index = 0; index < count; index++) {
      const at = startSample + index;
      if (index === 0 || at % STEP === 0) {
        this.#gain = 10 ** (valueAt(this.#decibels, at / SAMPLE_RATE_HZ) / 20);
        this.#slope =
          (10 ** (valueAt(this.#decibels, (at + STEP) / SAMPLE_RATE_HZ) / 20) - this.#gain) / STEP;
      }
      left[index]! *= this.#gain;
      right[index]! *= this.#gain;
      this.#gain += this.#slope;
    }
  }
}

/** Lowers the level of a part at each kick, as a side-chain compressor would; the times come from the score. */
export class Ducking implements Insert {
  readonly #hits: readonly number[];
  readonly #depth: number;
  readonly #releaseSamples: number;
  #next = 0;

  /**
   * @param hits sample positions of the kicks, ascending
   * @param depth attenuation at the hit as a fraction, 0 to 1
   * @param releaseSeconds time until full recovery
   */
  constructor(hits: readonly number[], depth: number, releaseSeconds: number) {
    this.#hits = hits;
    this.#depth = depth;
    this.#releaseSamples = releaseSeconds * SAMPLE_RATE_HZ;
  }

  process(left: Float32Array, right: Float32Array, count: number, startSample: number): void {
    const attack = 0.006 * SAMPLE_RATE_HZ;
    for (let index = 0; index < count; index++) {
      const at = startSample + index;
      while (this.#next < this.#hits.length && this.#hits[this.#next]! <= at) this.#next++;
      const since = this.#next > 0 ? (at - this.#hits[this.#next - 1]!) / this.#releaseSamples : 1;
      const until = this.#next < this.#hits.length ? (this.#hits[this.#next]! - at) / attack : 1;
      // Half cosines in both directions; the fall ends where the hit begins.
      const back = since >= 1 ? 1 : 0.5 - 0.5 * Math.cos(Math.PI * since);
      const gain = 1 - this.#depth * (1 - Math.min(back, Math.min(1, until)));
      left[index]! *= gain;
      right[index]! *= gain;
    }
  }
}
