import { sampleProgram } from '../signal/sample-program.ts';

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
const PHASES = [FIRST, SECOND, SECOND.toReversed(), FIRST.toReversed()];
const TAPS = FIRST.length;
/** Largest ratio of an interpolated value to the largest sample near it. */
const MOST_GAIN = Math.max(...PHASES.map((taps) => taps.reduce((sum, value) => sum + Math.abs(value), 0)));

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
 * Stretches that cannot exceed the peak so far are skipped, which does not change the result.
 *
 * @see ITU-R BS.1770-4, annex 2
 */
export function createTruePeakMeter(channels: number): TruePeakMeter {
  const { calls, blockSize, channels: inputs, histories, phases, mostGain } = sampleProgram();
  const [input, history] = [inputs[0], histories[0]];
  const lasts = Array.from({ length: channels }, () => new Float32Array(TAPS - 1));
  phases.set(PHASES.flat());
  mostGain[0] = MOST_GAIN;
  let peak = 0;

  const take = (last: Float32Array, samples: Float32Array): void => {
    const count = samples.length;
    history.set(last);
    input.set(samples);
    peak = calls.true_peak(0, count, peak);
    last.copyWithin(0, count);
    last.set(samples.subarray(Math.max(0, count - last.length)), Math.max(0, last.length - count));
  };

  return {
    push(block) {
      for (const [index, last] of lasts.entries()) {
        const samples = block[index] ?? new Float32Array(block[0]?.length ?? 0);
        for (let from = 0; from < samples.length; from += blockSize)
          take(last, samples.subarray(from, from + blockSize));
      }
    },
    finish() {
      for (const last of lasts) take(last, new Float32Array(TAPS));
      return peak > 0 ? Math.max(SILENCE_TRUE_PEAK_DB, 20 * Math.log10(peak)) : SILENCE_TRUE_PEAK_DB;
    },
  };
}
