import { BIQUAD_STATE, type Biquad, createBiquad } from './biquad.ts';
import { BUTTERWORTH_4, secondOrder } from './second-order.ts';

/** Crossover between low and middle band; both are down by 6 dB there. */
export const EQ_LOW_HZ = 246;
/** Crossover between middle and high band. */
export const EQ_HIGH_HZ = 2_484;

type Kind = Parameters<typeof secondOrder>[0];

/**
 * Splits one audio channel into the three bands of a DJ equaliser.
 *
 * `in → below 246 Hz → all-pass at 2,484 Hz → low`, `in → above 246 Hz → below | above 2,484 Hz → middle | high`
 *
 * The filters are Linkwitz-Riley ones of the eighth order (48 dB an octave): with the fourth order, a killed middle band
 * would only be 34 dB down at its centre. The bands sum to the input with changed phase and unchanged level at every
 * frequency. No delay, no allocation.
 *
 * @see S. Linkwitz, R. Riley, "Active crossover networks for noncoincident drivers", JAES 24(1), 1976
 */
export class ThreeBandCrossover {
  readonly #lowBelow: readonly Biquad[];
  readonly #lowTurned: readonly Biquad[];
  readonly #restAbove: readonly Biquad[];
  readonly #midBelow: readonly Biquad[];
  readonly #highAbove: readonly Biquad[];
  readonly #all: readonly Biquad[];

  constructor(sampleRateHz: number) {
    /** Creates two fourth-order Butterworth filters in series; for the all-pass, filters equal to the sum of both bands. */
    const linkwitzRiley = (kind: Kind, hz: number): readonly Biquad[] => {
      const times = kind === 'allpass' ? 1 : 2;
      return Array.from({ length: times }, () =>
        BUTTERWORTH_4.map((q) => createBiquad(secondOrder(kind, hz, q, sampleRateHz))),
      ).flat();
    };
    this.#lowBelow = linkwitzRiley('lowpass', EQ_LOW_HZ);
    this.#lowTurned = linkwitzRiley('allpass', EQ_HIGH_HZ);
    this.#restAbove = linkwitzRiley('highpass', EQ_LOW_HZ);
    this.#midBelow = linkwitzRiley('lowpass', EQ_HIGH_HZ);
    this.#highAbove = linkwitzRiley('highpass', EQ_HIGH_HZ);
    this.#all = [this.#lowBelow, this.#lowTurned, this.#restAbove, this.#midBelow, this.#highAbove].flat();
  }

  /** Numbers that {@link save} writes. */
  get stateSize(): number {
    return BIQUAD_STATE * this.#all.length;
  }

  /** Splits samples `from` to `from + count` into the first `count` samples of each band. */
  process(
    samples: Float32Array,
    from: number,
    count: number,
    low: Float64Array,
    mid: Float64Array,
    high: Float64Array,
  ): void {
    for (let n = 0; n < count; n++) {
      const sample = samples[from + n]!;
      low[n] = sample;
      mid[n] = sample;
    }
    run(this.#lowBelow, low, count);
    run(this.#lowTurned, low, count);
    run(this.#restAbove, mid, count);
    for (let n = 0; n < count; n++) high[n] = mid[n]!;
    run(this.#midBelow, mid, count);
    run(this.#highAbove, high, count);
  }

  /** Clears the state. */
  reset(): void {
    for (let index = 0; index < this.#all.length; index++) this.#all[index]!.reset();
  }

  /** Writes the state, {@link stateSize} numbers, into `states` from `at` on. */
  save(states: Float64Array, at: number): void {
    for (let index = 0; index < this.#all.length; index++)
      this.#all[index]!.save(states, at + BIQUAD_STATE * index);
  }

  /** Restores a saved state. */
  restore(states: Float64Array, at: number): void {
    for (let index = 0; index < this.#all.length; index++)
      this.#all[index]!.restore(states, at + BIQUAD_STATE * index);
  }
}

function run(cascade: readonly Biquad[], samples: Float64Array, count: number): void {
  for (let index = 0; index < cascade.length; index++) cascade[index]!.process(samples, count);
}
