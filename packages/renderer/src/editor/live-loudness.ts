import { type Biquad, createBiquad } from '@stem-studio/dsp/filter/biquad';
import { kWeighting } from '@stem-studio/dsp/filter/k-weighting';

const OFFSET_DB = -0.691;
/** Loudness of silence, the absolute gate. */
const SILENCE_LUFS = -70;
const STEPS_PER_SECOND = 10;
const MOMENTARY_STEPS = 4;
const SHORT_STEPS = 30;
const RELATIVE_GATE = 0.1;
const BLOCK = 128;
/** Blocks of the integrated loudness by their level: from the gate to +10 LUFS in steps of 0.1 dB. */
const BINS = 800;

/** Loudness of what plays, in LUFS; at least −70. */
export interface LoudnessReading {
  /** Of the last 3 s. */
  readonly shortTerm: number;
  /** Gated, since the last {@link LiveLoudness.restart}. */
  readonly integrated: number;
}

/**
 * Measures the loudness of a stereo stream while it plays. The integrated loudness is exact to 0.1 LU: blocks are counted
 * by their level, so that memory does not grow. Allocates nothing in `push`.
 *
 * @see ITU-R BS.1770-4; EBU Tech 3341
 */
export class LiveLoudness {
  readonly #filters: readonly (readonly Biquad[])[];
  readonly #weighted = new Float64Array(BLOCK);
  readonly #steps = new Float64Array(SHORT_STEPS);
  readonly #stepFrames: number;
  readonly #counts = new Float64Array(BINS);
  readonly #powers = new Float64Array(BINS);
  #count = 0;
  #sum = 0;
  #filled = 0;

  constructor(sampleRateHz: number) {
    this.#stepFrames = Math.round(sampleRateHz / STEPS_PER_SECOND);
    this.#filters = [0, 1].map(() => kWeighting(sampleRateHz).map((filter) => createBiquad(filter)));
  }

  /** Starts the integrated loudness anew. */
  restart(): void {
    this.#counts.fill(0);
    this.#powers.fill(0);
  }

  /** Adds a block of at most 128 frames. */
  push(left: Float32Array, right: Float32Array, frames: number): void {
    for (let from = 0; from < frames; ) {
      const count = Math.min(frames - from, this.#stepFrames - this.#filled);
      this.#weigh(0, left, from, count);
      this.#weigh(1, right, from, count);
      this.#filled += count;
      from += count;
      if (this.#filled === this.#stepFrames) this.#endStep();
    }
  }

  /** Returns the loudness now. */
  read(): LoudnessReading {
    return { shortTerm: lufsOf(this.#mean(SHORT_STEPS)), integrated: this.#integrated() };
  }

  #weigh(channel: 0 | 1, samples: Float32Array, from: number, count: number): void {
    const weighted = this.#weighted;
    for (let n = 0; n < count; n++) weighted[n] = samples[from + n]!;
    for (const filter of this.#filters[channel]!) filter.process(weighted, count);
    for (let n = 0; n < count; n++) this.#sum += weighted[n]! * weighted[n]!;
  }

  #endStep(): void {
    this.#steps[this.#count % SHORT_STEPS] = this.#sum / this.#stepFrames;
    this.#count++;
    this.#sum = 0;
    this.#filled = 0;
    if (this.#count < MOMENTARY_STEPS) return;
    const power = this.#mean(MOMENTARY_STEPS);
    const bin = Math.floor(10 * (lufsOf(power) - SILENCE_LUFS));
    if (bin <= 0) return;
    this.#counts[Math.min(BINS - 1, bin)]! += 1;
    this.#powers[Math.min(BINS - 1, bin)]! += power;
  }

  /** Returns the mean power of the last steps, as far as there are. */
  #mean(steps: number): number {
    const count = Math.min(steps, this.#count);
    let sum = 0;
    for (let step = 1; step <= count; step++) sum += this.#steps[(this.#count - step) % SHORT_STEPS]!;
    return count === 0 ? 0 : sum / count;
  }

  #integrated(): number {
    const gate = 10 * (lufsOf(RELATIVE_GATE * this.#meanFrom(0)) - SILENCE_LUFS);
    return lufsOf(this.#meanFrom(Math.max(0, Math.floor(gate))));
  }

  #meanFrom(first: number): number {
    let [count, power] = [0, 0];
    for (let bin = first; bin < BINS; bin++) {
      count += this.#counts[bin]!;
      power += this.#powers[bin]!;
    }
    return count === 0 ? 0 : power / count;
  }
}

const lufsOf = (power: number) =>
  power <= 0 ? SILENCE_LUFS : Math.max(SILENCE_LUFS, OFFSET_DB + 10 * Math.log10(power));
