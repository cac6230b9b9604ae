import { Glide } from '../signal/glide.ts';
import { type Biquad, createBiquad } from './biquad.ts';
import { BUTTERWORTH_4, secondOrder } from './second-order.ts';

/** Crossover between low and middle band; both are down by 6 dB there. */
export const EQ_LOW_HZ = 246;
/** Crossover between middle and high band. */
export const EQ_HIGH_HZ = 2_484;
/** Largest gain of a band, +6 dB. */
export const MOST_EQ_GAIN = 10 ** (6 / 20);

const GLIDE_SECONDS = 0.015;
const BLOCK = 128;

type Kind = Parameters<typeof secondOrder>[0];

/** The filters of one channel. */
interface Side {
  readonly lowBelow: readonly Biquad[];
  readonly lowTurned: readonly Biquad[];
  readonly restAbove: readonly Biquad[];
  readonly midBelow: readonly Biquad[];
  readonly highAbove: readonly Biquad[];
}

/**
 * Implements the equaliser of a DJ mixer: three bands with up to 6 dB of boost and full kill.
 *
 * `in → below 246 Hz → all-pass at 2,484 Hz → low`, `in → above 246 Hz → below | above 2,484 Hz → middle | high`
 *
 * The bands are split by Linkwitz-Riley filters of the eighth order (48 dB an octave): with the fourth order, a killed
 * middle band would only be 34 dB down at its centre. All bands at gain 1 sum to the input with changed phase and
 * unchanged level at every frequency. No delay, no allocation.
 *
 * @see S. Linkwitz, R. Riley, "Active crossover networks for noncoincident drivers", JAES 24(1), 1976
 */
export class ThreeBandEq {
  readonly #sides: readonly Side[];
  readonly #gains: readonly Glide[];
  readonly #low = new Float64Array(BLOCK);
  readonly #mid = new Float64Array(BLOCK);
  readonly #high = new Float64Array(BLOCK);
  readonly #ramps = [new Float64Array(BLOCK), new Float64Array(BLOCK), new Float64Array(BLOCK)] as const;

  constructor(sampleRateHz: number) {
    this.#sides = [createSide(sampleRateHz), createSide(sampleRateHz)];
    this.#gains = [0, 1, 2].map(() => new Glide(1, GLIDE_SECONDS, sampleRateHz));
  }

  /**
   * Glides to other gains within about 15 ms.
   *
   * @param low 0 (killed) to {@link MOST_EQ_GAIN}, as a factor; values beyond are clamped
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
      this.#filter(this.#sides[0]!, left, from, count);
      this.#filter(this.#sides[1]!, right, from, count);
    }
  }

  /** Clears the state and takes on the gains at once. */
  reset(): void {
    for (const side of this.#sides) {
      for (const cascade of Object.values(side) as (readonly Biquad[])[]) {
        for (const filter of cascade) filter.reset();
      }
    }
    for (const gain of this.#gains) gain.jump();
  }

  #aim(band: number, gain: number): void {
    this.#gains[band]!.aim(Math.min(MOST_EQ_GAIN, Math.max(0, gain)));
  }

  #filter(side: Side, samples: Float32Array, from: number, count: number): void {
    const low = this.#low;
    const mid = this.#mid;
    const high = this.#high;
    for (let n = 0; n < count; n++) {
      const sample = samples[from + n]!;
      low[n] = sample;
      mid[n] = sample;
    }
    run(side.lowBelow, low, count);
    run(side.lowTurned, low, count);
    run(side.restAbove, mid, count);
    for (let n = 0; n < count; n++) high[n] = mid[n]!;
    run(side.midBelow, mid, count);
    run(side.highAbove, high, count);
    const lowGain = this.#ramps[0];
    const midGain = this.#ramps[1];
    const highGain = this.#ramps[2];
    for (let n = 0; n < count; n++) {
      samples[from + n] = low[n]! * lowGain[n]! + mid[n]! * midGain[n]! + high[n]! * highGain[n]!;
    }
  }
}

function createSide(sampleRateHz: number): Side {
  /** Creates two fourth-order Butterworth filters in series; for the all-pass, filters equal to the sum of both bands. */
  const linkwitzRiley = (kind: Kind, hz: number): readonly Biquad[] => {
    const times = kind === 'allpass' ? 1 : 2;
    return Array.from({ length: times }, () =>
      BUTTERWORTH_4.map((q) => createBiquad(secondOrder(kind, hz, q, sampleRateHz))),
    ).flat();
  };
  return {
    lowBelow: linkwitzRiley('lowpass', EQ_LOW_HZ),
    lowTurned: linkwitzRiley('allpass', EQ_HIGH_HZ),
    restAbove: linkwitzRiley('highpass', EQ_LOW_HZ),
    midBelow: linkwitzRiley('lowpass', EQ_HIGH_HZ),
    highAbove: linkwitzRiley('highpass', EQ_HIGH_HZ),
  };
}

function run(cascade: readonly Biquad[], samples: Float64Array, count: number): void {
  for (let index = 0; index < cascade.length; index++) cascade[index]!.process(samples, count);
}
