import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import { DelayLine } from './delay-line.ts';
import type { EffectKernel } from './effect-kernel.ts';
import { FadingTap } from './fading-tap.ts';
import { SmoothedValue } from './smoothed-value.ts';

/** Lengths of the lines in seconds: 30 to 80 ms, without common divisors once they are whole samples. */
const LINE_SECONDS = [0.0297, 0.0343, 0.0389, 0.0437, 0.0511, 0.0597, 0.0681, 0.0789];
const LINES = LINE_SECONDS.length;
/** All-pass filters that spread the input over time, on either side. */
const DIFFUSER_SECONDS = [
  [0.0047, 0.0036, 0.0127, 0.0093],
  [0.0053, 0.0031, 0.0119, 0.0101],
];
const DIFFUSION = 0.65;
const MAX_PRE_DELAY_SECONDS = 0.2;
/** Decay of the highest frequencies at full damping, as a part of the decay. */
const LEAST_DECAY = 0.05;
const SILENCE = 1e-15;

/**
 * Reverberation by a feedback delay network: `in → pre-delay → low cut → all-passes → 8 lines ⇄ Hadamard matrix → out`.
 * Each line loses as much as its length at the decay time asks for; a one-pole filter in it loses more at high
 * frequencies. The decay is the time to −60 dB at low frequencies.
 *
 * @see J.-M. Jot, A. Chaigne, "Digital delay networks for designing artificial reverberators", AES 90, 1991
 */
export class ReverbKernel implements EffectKernel {
  readonly #sampleRateHz: number;
  readonly #preDelay: DelayLine;
  readonly #tap: FadingTap;
  readonly #diffusers: readonly [readonly AllPass[], readonly AllPass[]];
  readonly #lines: readonly Float32Array[];
  readonly #heads = new Int32Array(LINES);
  readonly #outs = Array.from({ length: LINES }, () => new Float32Array(BLOCK_FRAMES));
  readonly #gains = new Float64Array(LINES);
  readonly #poles = new Float64Array(LINES);
  readonly #damped = new Float64Array(LINES);
  readonly #decay = new SmoothedValue(2);
  readonly #damping = new SmoothedValue(0);
  readonly #low = new SmoothedValue(0);
  readonly #lowState = new Float64Array(2);
  #preDelayFrames = 0;
  #level = 1;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#preDelay = new DelayLine(MAX_PRE_DELAY_SECONDS + 0.01, sampleRateHz);
    this.#tap = new FadingTap(sampleRateHz);
    this.#lines = LINE_SECONDS.map((seconds) => new Float32Array(oddFrames(seconds, sampleRateHz)));
    const side = (seconds: readonly number[]) =>
      seconds.map((length) => new AllPass(oddFrames(length, sampleRateHz)));
    this.#diffusers = [side(DIFFUSER_SECONDS[0]!), side(DIFFUSER_SECONDS[1]!)];
  }

  get tailFrames(): number {
    return this.#tap.longest + this.#lines[LINES - 1]!.length * 2;
  }

  set(values: readonly number[]): void {
    const [decaySeconds = 2, damping = 0, preDelayMs = 0, lowCutHz = 20] = values;
    this.#decay.aim(decaySeconds);
    this.#damping.aim(damping);
    this.#low.aim(1 - Math.exp((-2 * Math.PI * lowCutHz) / this.#sampleRateHz));
    this.#preDelayFrames = Math.round((preDelayMs / 1000) * this.#sampleRateHz);
  }

  reset(): void {
    this.#preDelay.clear();
    this.#tap.reset();
    for (const side of this.#diffusers) for (const allPass of side) allPass.clear();
    for (const line of this.#lines) line.fill(0);
    this.#damped.fill(0);
    this.#lowState.fill(0);
    this.#decay.jump();
    this.#damping.jump();
    this.#low.jump();
    this.#tune();
  }

  begin(): void {}

  process(left: Float32Array, right: Float32Array, frames: number): void {
    this.#decay.begin(frames);
    this.#damping.begin(frames);
    this.#low.begin(frames);
    if (!this.#decay.isSettled || !this.#damping.isSettled) this.#tune();
    this.#preDelay.write(left, right, frames);
    this.#tap.read(this.#preDelay, this.#preDelayFrames, frames, frames);
    this.#cutLows(frames);
    for (let index = 0; index < DIFFUSER_SECONDS[0]!.length; index++) {
      this.#diffusers[0][index]!.process(this.#tap.left, frames);
      this.#diffusers[1][index]!.process(this.#tap.right, frames);
    }
    for (let line = 0; line < LINES; line++) this.#readLine(line, frames);
    for (let n = 0; n < frames; n++) {
      let l = 0;
      let r = 0;
      for (let line = 0; line < LINES; line += 2) {
        const sign = line & 2 ? -1 : 1;
        l += sign * this.#outs[line]![n]!;
        r += sign * this.#outs[line + 1]![n]!;
      }
      left[n] = l * this.#level;
      right[n] = r * this.#level;
    }
    this.#mix(frames);
    for (let line = 0; line < LINES; line++) this.#writeLine(line, frames);
  }

  #cutLows(frames: number): void {
    const { left, right } = this.#tap;
    const low = this.#low.value;
    let l = this.#lowState[0]!;
    let r = this.#lowState[1]!;
    for (let n = 0; n < frames; n++) {
      l += low * (left[n]! - l);
      r += low * (right[n]! - r);
      left[n]! -= l;
      right[n]! -= r;
    }
    this.#lowState[0] = Math.abs(l) < SILENCE ? 0 : l;
    this.#lowState[1] = Math.abs(r) < SILENCE ? 0 : r;
  }

  /** Reads a block of a line and damps it. */
  #readLine(line: number, frames: number): void {
    const ring = this.#lines[line]!;
    const out = this.#outs[line]!;
    const gain = this.#gains[line]!;
    const pole = this.#poles[line]!;
    const { length } = ring;
    let state = this.#damped[line]!;
    let at = this.#heads[line]!;
    for (let n = 0; n < frames; n++) {
      state = gain * (1 - pole) * ring[at]! + pole * state;
      out[n] = state;
      if (++at === length) at = 0;
    }
    this.#damped[line] = Math.abs(state) < SILENCE ? 0 : state;
  }

  /** Writes a block of a line over the one that was read. */
  #writeLine(line: number, frames: number): void {
    const ring = this.#lines[line]!;
    const out = this.#outs[line]!;
    const input = line & 1 ? this.#tap.right : this.#tap.left;
    const sign = line & 4 ? -0.5 : 0.5;
    const { length } = ring;
    let at = this.#heads[line]!;
    for (let n = 0; n < frames; n++) {
      const sample = out[n]! + sign * input[n]!;
      ring[at] = Math.abs(sample) < SILENCE ? 0 : sample;
      if (++at === length) at = 0;
    }
    this.#heads[line] = at;
  }

  /** Multiplies the outputs of the lines by a Hadamard matrix, which keeps their energy. */
  #mix(frames: number): void {
    const scale = 1 / Math.sqrt(LINES);
    for (let half = 1; half < LINES; half *= 2) {
      for (let from = 0; from < LINES; from += 2 * half) {
        for (let line = from; line < from + half; line++) {
          const one = this.#outs[line]!;
          const other = this.#outs[line + half]!;
          const factor = half === 1 ? scale : 1;
          for (let n = 0; n < frames; n++) {
            const sum = one[n]! + other[n]!;
            const difference = one[n]! - other[n]!;
            one[n] = factor * sum;
            other[n] = factor * difference;
          }
        }
      }
    }
  }

  #tune(): void {
    const seconds = this.#decay.value;
    const highSeconds = seconds * LEAST_DECAY ** this.#damping.value;
    for (let line = 0; line < LINES; line++) {
      const length = this.#lines[line]!.length / this.#sampleRateHz;
      this.#gains[line] = 10 ** ((-3 * length) / seconds);
      const high = 10 ** (-3 * length * (1 / highSeconds - 1 / seconds));
      this.#poles[line] = (1 - high) / (1 + high);
    }
    // A longer decay adds up more; half of that is compensated.
    this.#level = 1.6 * (1 - this.#gains[LINES >> 1]! ** 2) ** 0.3;
  }
}

/** All-pass filter with a longer delay. */
class AllPass {
  readonly #ring: Float32Array;
  #at = 0;

  constructor(frames: number) {
    this.#ring = new Float32Array(frames);
  }

  clear(): void {
    this.#ring.fill(0);
  }

  process(samples: Float32Array, frames: number): void {
    const ring = this.#ring;
    const { length } = ring;
    let at = this.#at;
    for (let n = 0; n < frames; n++) {
      const delayed = ring[at]!;
      const into = samples[n]! - DIFFUSION * delayed;
      ring[at] = Math.abs(into) < SILENCE ? 0 : into;
      samples[n] = delayed + DIFFUSION * into;
      if (++at === length) at = 0;
    }
    this.#at = at;
  }
}

/** Returns an odd number of samples, longer than a block. */
function oddFrames(seconds: number, sampleRateHz: number): number {
  return Math.max(BLOCK_FRAMES + 1, Math.round(seconds * sampleRateHz) | 1);
}
