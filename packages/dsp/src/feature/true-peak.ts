/** True peak reported for silence. */
export const SILENCE_TRUE_PEAK_DB = -100;

/** Two phases of the filter of the standard; the other two are these reversed. */
const FIRST = [
  0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
  0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
];
const SECOND = [
  -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625, 0.77978515625,
  -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
];
const PHASES = [FIRST, SECOND, SECOND.toReversed(), FIRST.toReversed()].map((taps) =>
  Float64Array.from(taps),
);
const TAPS = FIRST.length;
/** Largest ratio of an interpolated value to the largest sample near it. */
const MOST_GAIN = Math.max(...PHASES.map((taps) => taps.reduce((sum, value) => sum + Math.abs(value), 0)));
/** Samples per block that is skipped when it cannot contain the peak. */
const STRETCH = 16;
const CHUNK = 4_096;

/** Measures the true peak of a stream. */
export interface TruePeakMeter {
  /** Adds the next samples, one array per audio channel. */
  push(block: readonly Float32Array[]): void;
  /** Returns the true peak so far in dB relative to full scale; `SILENCE_TRUE_PEAK_DB` in silence. */
  finish(): number;
}

/**
 * Creates a true-peak meter that oversamples by four with the 48 taps of the standard.
 *
 * The result is the largest absolute value of the output and of the samples of all audio channels.
 *
 * Blocks that cannot exceed the peak so far are skipped, which does not change the result.
 *
 * @see ITU-R BS.1770-4, annex 2
 */
export function createTruePeakMeter(channels: number): TruePeakMeter {
  const lanes = Array.from({ length: channels }, () => new Float64Array(TAPS - 1 + CHUNK));
  let peak = 0;

  const take = (samples: Float64Array, count: number): void => {
    for (let at = 0; at < count; at += STRETCH) {
      const end = Math.min(count, at + STRETCH);
      let largest = 0;
      for (let near = at; near < end + TAPS - 1; near++) {
        const value = Math.abs(samples[near] ?? 0);
        if (value > largest) largest = value;
      }
      if (largest > peak) peak = largest;
      if (largest * MOST_GAIN <= peak) continue;
      for (const taps of PHASES) {
        for (let sample = at; sample < end; sample++) {
          let sum = 0;
          for (let tap = 0; tap < TAPS; tap++)
            sum += (taps[tap] ?? 0) * (samples[sample + TAPS - 1 - tap] ?? 0);
          if (sum > peak) peak = sum;
          else if (-sum > peak) peak = -sum;
        }
      }
    }
    samples.copyWithin(0, count, count + TAPS - 1);
  };

  return {
    push(block) {
      const length = block[0]?.length ?? 0;
      for (const [index, lane] of lanes.entries()) {
        for (let from = 0; from < length; from += CHUNK) {
          const count = Math.min(CHUNK, length - from);
          const part = block[index]?.subarray(from, from + count);
          if (part) lane.set(part, TAPS - 1);
          take(lane, count);
        }
      }
    },
    finish() {
      const silence = new Float64Array(TAPS);
      for (const lane of lanes) {
        lane.set(silence, TAPS - 1);
        take(lane, TAPS);
      }
      return peak > 0 ? Math.max(SILENCE_TRUE_PEAK_DB, 20 * Math.log10(peak)) : SILENCE_TRUE_PEAK_DB;
    },
  };
}
