import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import type { Insert } from './insert.ts';

/** Parameters of the reverberation. */
export interface ReverbRoom {
  /** Time in which the level falls by 60 dB. */
  readonly decaySeconds: number;
  readonly preDelaySeconds: number;
  /** Frequency above which the tail decays faster. */
  readonly dampHz: number;
  /** Cutoff of the high-pass at the input. */
  readonly lowCutHz: number;
  /** Scale of the delay lines: 0.6 a plate, 1 a hall. */
  readonly size: number;
}

/** Delay lengths without a common factor, so that echoes do not coincide. */
const LENGTHS = [1433, 1601, 1867, 2053, 2251, 2399, 2617, 2797];
const DIFFUSERS = [142, 379, 107, 277];

/** Shorter than the shortest ring (107 samples at size 0.5), so that a block never reads its own output. */
const STRETCH = 32;

class Ring {
  readonly samples: Float32Array;
  at = 0;
  constructor(length: number) {
    this.samples = new Float32Array(Math.max(STRETCH, Math.round(length)));
  }
}

/**
 * A reverberator; the output contains only the wet signal.
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
  readonly #taps = Array.from({ length: 8 }, () => new Float64Array(STRETCH));
  readonly #entered = [new Float64Array(STRETCH), new Float64Array(STRETCH)];
  readonly #sum = new Float64Array(STRETCH);
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
    for (let from = 0; from < count; from += STRETCH) {
      this.#stretch(left, right, from, Math.min(STRETCH, count - from));
    }
  }

  #stretch(left: Float32Array, right: Float32Array, from: number, length: number): void {
    this.#enter(0, left, from, length);
    this.#enter(1, right, from, length);
    const sum = this.#sum.fill(0);
    for (let line = 0; line < 8; line++) this.#tap(line, sum, length);
    for (let line = 0; line < 8; line++) this.#feed(line, sum, length);
    const [a, b, c, d, e, f, g, h] = this.#taps;
    for (let index = 0; index < length; index++) {
      left[from + index] = 0.6 * (a![index]! - c![index]! + e![index]! - h![index]!);
      right[from + index] = 0.6 * (b![index]! - d![index]! + f![index]! - g![index]!);
    }
  }

  /** Reads one line, damped and attenuated, into its tap, and adds it to the sum. */
  #tap(line: number, sum: Float64Array, length: number): void {
    const { samples, at } = this.#lines[line]!;
    const tap = this.#taps[line]!;
    const gain = this.#gains[line]!;
    const damping = this.#damping;
    let damped = this.#damped[line]!;
    let slot = at;
    for (let index = 0; index < length; index++) {
      damped += damping * (samples[slot]! - damped);
      tap[index] = damped * gain;
      sum[index]! += damped * gain;
      slot = slot + 1 === samples.length ? 0 : slot + 1;
    }
    this.#damped[line] = damped;
  }

  /** Writes one line: its tap reflected in the sum (Householder) plus the input. */
  #feed(line: number, sum: Float64Array, length: number): void {
    const ring = this.#lines[line]!;
    const tap = this.#taps[line]!;
    const entered = this.#entered[line & 1]!;
    const sign = line & 2 ? -0.5 : 0.5;
    const { samples } = ring;
    let slot = ring.at;
    for (let index = 0; index < length; index++) {
      samples[slot] = tap[index]! - 0.25 * sum[index]! + sign * entered[index]!;
      slot = slot + 1 === samples.length ? 0 : slot + 1;
    }
    ring.at = slot;
  }

  /** Processes pre-delay, low cut and diffusers of one side. */
  #enter(side: 0 | 1, input: Float32Array, from: number, length: number): void {
    const entered = this.#entered[side]!;
    const pre = this.#preDelay[side]!;
    const lowCut = this.#lowCut;
    let low = this.#lowState[side]!;
    let slot = pre.at;
    for (let index = 0; index < length; index++) {
      const late = pre.samples[slot]!;
      pre.samples[slot] = input[from + index]!;
      slot = slot + 1 === pre.samples.length ? 0 : slot + 1;
      low += lowCut * (late - low);
      entered[index] = late - low;
    }
    pre.at = slot;
    this.#lowState[side] = low;
    for (const ring of this.#diffusers[side]!) diffuse(ring, entered, length);
  }
}

/** Applies one Schroeder all-pass in place. */
function diffuse(ring: Ring, values: Float64Array, length: number): void {
  const { samples } = ring;
  let slot = ring.at;
  for (let index = 0; index < length; index++) {
    const held = samples[slot]!;
    const fed = values[index]! + 0.62 * held;
    samples[slot] = fed;
    values[index] = held - 0.62 * fed;
    slot = slot + 1 === samples.length ? 0 : slot + 1;
  }
  ring.at = slot;
}
