import type { AccompanimentMasks } from './accompaniment-masks.ts';
import { binCount, binHz } from './stereo-spectrogram.ts';

/** First bin that counts: below are rumble and the window's leakage. */
const firstBin = Math.round(35 / binHz);
/** Upper ends of the range of bass drums and deep basses, and of basses. */
const deepBin = Math.round(80 / binHz);
const lowBin = Math.round(250 / binHz);
/** Range of cymbals and snare wires. */
const highBins = { from: Math.round(2_000 / binHz), to: Math.round(11_000 / binHz) } as const;

/** Log odds per dB, and at 0 dB. */
const drumWeights = { level: 0.396, high: 0.364, deep: 0.133, bias: 8.85 } as const;
const bassWeights = { deep: 0.111, low: 0.515, peaks: -0.454, bias: 7.74 } as const;

const leastEnergy = 1e-9;
const leastRatio = 1e-6;

/** Log odds that a stem is present. */
export interface AccompanimentPresence {
  readonly drums: number;
  readonly bass: number;
}

/**
 * Returns the log odds that music without a voice has drums and a bass, from the masks of both.
 *
 * Drums are louder, have more of the range of cymbals, and their bass drum also appears deep in the bass; attacks of other
 * instruments have little of that. A bass has most of what is low, goes deeper than other instruments, and is steady.
 *
 * The weights are those of a logistic regression on invented songs, each with and without drums and bass. Even odds are
 * where one of a hundred stems that are there would count as absent: a stem that is silent by mistake is worse than one
 * with remains of others.
 *
 * @param magnitude of both audio channels, `binCount` values per frame
 */
export function accompanimentLogOdds(
  magnitude: Float32Array,
  { drums, bass }: AccompanimentMasks,
): AccompanimentPresence {
  const frames = magnitude.length / binCount;
  const bassFrames = new Float64Array(frames);
  const sums = { all: 0, drums: 0, high: 0, highDrums: 0, bass: 0, deepBass: 0, low: 0, lowBass: 0, deep: 0 };
  for (let t = 0; t < frames; t++) {
    let frameBass = 0;
    for (let k = firstBin; k < binCount; k++) {
      const i = t * binCount + k;
      const power = magnitude[i]! * magnitude[i]!;
      const drum = drums[i]!;
      const low = bass[i]!;
      sums.all += power;
      sums.drums += drum * drum * power;
      sums.bass += low * power;
      frameBass += low * low * power;
      if (k < deepBin) {
        sums.deep += power;
        sums.deepBass += low * power;
      }
      if (k < lowBin) {
        sums.low += power;
        sums.lowBass += low * power;
      } else if (k >= highBins.from && k < highBins.to) {
        sums.high += power;
        sums.highDrums += drum * power;
      }
    }
    bassFrames[t] = frameBass;
  }
  return {
    drums:
      drumWeights.level * decibels(sums.drums, sums.all) +
      drumWeights.high * decibels(sums.highDrums, sums.high) +
      drumWeights.deep * decibels(sums.deepBass, sums.bass) +
      drumWeights.bias,
    bass:
      bassWeights.deep * decibels(sums.deep, sums.all) +
      bassWeights.low * decibels(sums.lowBass, sums.low) +
      bassWeights.peaks * peakDecibels(bassFrames) +
      bassWeights.bias,
  };
}

/** Returns the ratio of energies in dB, −60 or more. */
function decibels(part: number, whole: number): number {
  return 10 * Math.log10(part / (whole + leastEnergy) + leastRatio);
}

/** Returns how far the loudest tenth of the frames is above the mean, in dB. */
function peakDecibels(energies: Float64Array): number {
  const sorted = energies.toSorted((left, right) => right - left);
  const loud = sorted.subarray(0, Math.ceil(sorted.length / 10));
  const mean = (values: Float64Array): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return decibels(mean(loud), mean(sorted));
}
