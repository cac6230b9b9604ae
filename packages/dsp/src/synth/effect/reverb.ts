import { SAMPLE_RATE_HZ } from '../sound.ts';
import type { Insert } from './insert.ts';

/** What kind of room it is. */
export interface ReverbRoom {
  /** Time in which the sound falls by 60 dB. */
  readonly decaySeconds: number;
  readonly preDelaySeconds: number;
  /** Above this the tail dies sooner. */
  readonly dampHz: number;
  /** Below this nothing enters. */
  readonly lowCutHz: number;
  /** Scale of the delay lines: 0.6 a plate, 1 a hall. */
  readonly size: number;
}

/** Lengths without a common factor, so that echoes do not fall together. */
const LENGTHS = [1433, 1601, 1867, 2053, 2251, 2399, 2617, 2797];
const DIFFUSERS = [142, 379, 107, 277];

class Ring {
  readonly samples: Float32Array;
  at = 0;
  constructor(length: number) {
    this.samples = new Float32Array(Math.max(1, Math.round(length)));
  }
}

/**
 * A reverberator; what comes out is the wet sound alone.
 *
 * in → pre-delay → low cut → 4 all-pass diffusers a side → 8 delay lines, each with damping, fed back through a
 * Householder matrix → out
 *
 * @see Schroeder, "Natural sounding artificial reverberation", JAES 10(3), 1962 (all-pass diffusers)
 * @see Jot, Chaigne, "Digital delay networks for designing artificial reverberators", AES 90, 1991
 */
export class Reverb implements Insert {
  readonly #lines: Ring[];
  readonly #gains: Float64Array;
  readonly #damped = new Float64Array(8);
  readonly #taps = new Float64Array(8);
  readonly #diffusers: Ring[][];
  readonly #preDelay: Ring[];
  readonly #lowState = new Float64Array(2);
  readonly #damping: number;
  readonly #lowCut: number;

  constructor(room: ReverbRoom) {
    this.#lines = LENGTHS.map((length) => new Ring(length * room.size));
    this.#gains = Float64Array.from(this.#lines, (line) =>
      Math.pow(0.001, line.samples.length / (room.decaySeconds * SAMPLE_RATE_HZ)),
    );
    this.#diffusers = [0, 1].map((side) =>
      DIFFUSERS.map((length) => new Ring(length * room.size + side * 13)),
    );
    this.#preDelay = [0, 1].map(() => new Ring(room.preDelaySeconds * SAMPLE_RATE_HZ));
    this.#damping = 1 - Math.exp((-2 * Math.PI * room.dampHz) / SAMPLE_RATE_HZ);
    this.#lowCut = 1 - Math.exp((-2 * Math.PI * room.lowCutHz) / SAMPLE_RATE_HZ);
  }

  process(left: Float32Array, right: Float32Array, count: number): void {
    const taps = this.#taps;
    const damped = this.#damped;
    const gains = this.#gains;
    const lines = this.#lines;
    const damping = this.#damping;
    for (let index = 0; index < count; index++) {
      const leftIn = 0.5 * this.#enter(0, left[index]!);
      const rightIn = 0.5 * this.#enter(1, right[index]!);
      let sum = 0;
      for (let line = 0; line < 8; line++) {
        const ring = lines[line]!;
        const past = damped[line]!;
        const passed = past + damping * (ring.samples[ring.at]! - past);
        damped[line] = passed;
        const tap = passed * gains[line]!;
        taps[line] = tap;
        sum += tap;
      }
      const share = sum * 0.25;
      for (let line = 0; line < 8; line++) {
        const ring = lines[line]!;
        const input = line & 1 ? rightIn : leftIn;
        ring.samples[ring.at] = taps[line]! - share + (line & 2 ? -input : input);
        ring.at = ring.at + 1 === ring.samples.length ? 0 : ring.at + 1;
      }
      left[index] = 0.6 * (taps[0]! - taps[2]! + taps[4]! - taps[7]!);
      right[index] = 0.6 * (taps[1]! - taps[3]! + taps[5]! - taps[6]!);
    }
  }

  #enter(side: 0 | 1, input: number): number {
    const pre = this.#preDelay[side]!;
    const late = pre.samples[pre.at]!;
    pre.samples[pre.at] = input;
    pre.at = pre.at + 1 === pre.samples.length ? 0 : pre.at + 1;
    const low = this.#lowState[side]! + this.#lowCut * (late - this.#lowState[side]!);
    this.#lowState[side] = low;
    let sample = late - low;
    const diffusers = this.#diffusers[side]!;
    for (let stage = 0; stage < 4; stage++) {
      const ring = diffusers[stage]!;
      const held = ring.samples[ring.at]!;
      const fed = sample + 0.62 * held;
      ring.samples[ring.at] = fed;
      ring.at = ring.at + 1 === ring.samples.length ? 0 : ring.at + 1;
      sample = held - 0.62 * fed;
    }
    return sample;
  }
}
