import { Glide } from '../signal/glide.ts';
import { ThreeBandCrossover } from './crossover.ts';

/** Largest gain of a band of a deck, +6 dB. */
export const MOST_EQ_GAIN = 10 ** (6 / 20);

const GLIDE_SECONDS = 0.015;
const BLOCK = 128;

/**
 * Implements the equaliser of a DJ mixer: the three bands of {@link ThreeBandCrossover}, each with boost and full kill. All bands
 * at gain 1 sum to the input with changed phase and unchanged level at every frequency. No delay, no allocation.
 */
export class ThreeBandEq {
  readonly #mostGain: number;
  readonly #splits: readonly ThreeBandCrossover[];
  readonly #gains: readonly Glide[];
  readonly #low = new Float64Array(BLOCK);
  readonly #mid = new Float64Array(BLOCK);
  readonly #high = new Float64Array(BLOCK);
  readonly #ramps = [new Float64Array(BLOCK), new Float64Array(BLOCK), new Float64Array(BLOCK)] as const;

  /** @param mostGain largest gain of a band, as a factor */
  constructor(sampleRateHz: number, mostGain: number = MOST_EQ_GAIN) {
    this.#mostGain = mostGain;
    this.#splits = [new ThreeBandCrossover(sampleRateHz), new ThreeBandCrossover(sampleRateHz)];
    this.#gains = [0, 1, 2].map(() => new Glide(1, GLIDE_SECONDS, sampleRateHz));
  }

  /**
   * Glides to other gains within about 15 ms.
   *
   * @param low 0 (killed) to the largest gain, as a factor; values beyond are clamped
   */
  set(low: number, mid: number, high: number): void {
    this.#aim(0, low);
    this.#aim(1, mid);
    this.#aim(2, high);
  }

  /** Equalises `frames` samples in place. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    for (let from = 0; from < frames; from += BLOCK) {
      const count = Math.min(BLOCK, frames - from);
      for (let band = 0; band < 3; band++) {
        const ramp = this.#ramps[band]!;
        const gain = this.#gains[band]!;
        for (let n = 0; n < count; n++) ramp[n] = gain.next();
      }
      this.#filter(this.#splits[0]!, left, from, count);
      this.#filter(this.#splits[1]!, right, from, count);
    }
  }

  /** Clears the state and takes on the gains at once. */
  reset(): void {
    for (const split of this.#splits) split.reset();
    for (const gain of this.#gains) gain.jump();
  }

  #aim(band: number, gain: number): void {
    this.#gains[band]!.aim(Math.min(this.#mostGain, Math.max(0, gain)));
  }

  #filter(split: ThreeBandCrossover, samples: Float32Array, from: number, count: number): void {
    const low = this.#low;
    const mid = this.#mid;
    const high = this.#high;
    split.process(samples, from, count, low, mid, high);
    const lowGain = this.#ramps[0];
    const midGain = this.#ramps[1];
    const highGain = this.#ramps[2];
    for (let n = 0; n < count; n++) {
      samples[from + n] = low[n]! * lowGain[n]! + mid[n]! * midGain[n]! + high[n]! * highGain[n]!;
    }
  }
}
