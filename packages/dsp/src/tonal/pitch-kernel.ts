import { createChromaFilterBank } from '../feature/chroma-filter.ts';
import { createStft } from '../transform/stft.ts';
import { hannWindow } from '../transform/window.ts';
import { hzToMidi } from '../units.ts';

/** Samples a second of the sound that pitch is read from. */
export const PITCH_SAMPLE_RATE = 22_050;
/** Samples between two columns of pitch: 93 ms. */
export const PITCH_HOP = 2_048;
/** Divisions of the octave, so that the tuning can be settled after the whole track was heard. */
export const PITCH_STEPS = 60;

const FFT_SIZE = 8_192;
const MIN_HZ = 55;
const MAX_HZ = 3_000;
/** Where the lowest notes of a bass are, and up to where a peak is taken for one. */
const BASS_MIN_HZ = 38;
const BASS_MAX_HZ = 210;
/** Bins on either side whose mean makes the level that a peak is measured against. */
const LEVEL_BINS = 24;
/** Peaks this far below the loudest of their column (in power) do not count. */
const RANGE = 1e-6;
/** Times the level around it that a peak must reach to count, and from which on it counts in full. */
const LEAST_SALIENCE = 1.5;
const MOST_SALIENCE = 8;
/** What an octave higher makes of a peak's weight: the higher it is, the likelier a harmonic. */
const OCTAVE_WEIGHT = 0.8;
const LOWEST_MIDI = 33;

/** What sounds in each column, folded into one octave. */
export interface PitchColumns {
  /** `PITCH_STEPS` numbers a column, step 0 at C for A4 = 440 Hz; 0 in silence. */
  readonly columns: readonly Float32Array[];
  /** The same of 38 to 210 Hz alone, where the bass is. */
  readonly bass: readonly Float32Array[];
  /** Twelve pitch classes a column by the reference definition, C first; empty where not wanted. */
  readonly chroma: readonly Float32Array[];
}

/** Hears pitches, column by column. */
export interface PitchKernel {
  /** Takes in the next samples at 22,050 Hz. */
  push(block: Float32Array): void;
  /** What was heard; column t is centred on sample t · 2048. */
  finish(): PitchColumns;
  /** Gives the transform's memory back. */
  dispose(): void;
}

/**
 * Peaks of the spectrum, folded into one octave in fifths of a semitone: samples → spectrum of 8192 → peaks, placed
 * between the bins by a parabola → each against the mean level around it, which takes out how bright or dull an
 * instrument is → weight falling towards the high register, where harmonics are.
 *
 * @param options.chroma whether the pitch classes of the reference definition are wanted too
 * @see Gómez, "Tonal description of polyphonic audio for music content processing", INFORMS J. Computing 18, 2006
 * @see Müller and Ewert, "Chroma toolbox: MATLAB implementations for extracting variants of chroma-based audio
 *   features", ISMIR 2011
 */
export function createPitchKernel({ chroma: wantsChroma = false } = {}): PitchKernel {
  const stft = createStft({ size: FFT_SIZE, hop: PITCH_HOP, window: hannWindow(FFT_SIZE) });
  const binHz = PITCH_SAMPLE_RATE / FFT_SIZE;
  const firstBin = Math.floor(MIN_HZ / binHz);
  const bassBin = Math.floor(BASS_MIN_HZ / binHz);
  const lastBin = Math.ceil(MAX_HZ / binHz);
  const magnitude = new Float32Array(lastBin + LEVEL_BINS + 2);
  const sums = new Float64Array(magnitude.length + 1);
  const columns: Float32Array[] = [];
  const basses: Float32Array[] = [];
  const chroma: Float32Array[] = [];
  const bank = createChromaFilterBank({ sampleRate: PITCH_SAMPLE_RATE, fftSize: FFT_SIZE });
  const power = new Float32Array(stft.binCount);

  const onSpectrum = (re: Float32Array, im: Float32Array): void => {
    if (wantsChroma) {
      for (let bin = 0; bin < power.length; bin++) power[bin] = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2;
      chroma.push(bank.apply(power));
    }
    let loudest = 0;
    for (let bin = 0; bin < magnitude.length; bin++) {
      const value = Math.sqrt((re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2);
      magnitude[bin] = value;
      sums[bin + 1] = (sums[bin] ?? 0) + value;
      if (bin >= firstBin) loudest = Math.max(loudest, value);
    }
    const column = new Float32Array(PITCH_STEPS);
    const bass = new Float32Array(PITCH_STEPS);
    columns.push(column);
    basses.push(bass);
    const floor = Math.max(loudest * Math.sqrt(RANGE), 1e-3);
    for (let bin = bassBin; bin <= lastBin; bin++) {
      const value = magnitude[bin] ?? 0;
      const left = magnitude[bin - 1] ?? 0;
      const right = magnitude[bin + 1] ?? 0;
      if (value < floor || value <= left || value < right) continue;
      const from = Math.max(0, bin - LEVEL_BINS);
      const to = Math.min(magnitude.length, bin + LEVEL_BINS + 1);
      const level = ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
      const bend = left - 2 * value + right;
      const frequencyHz = (bin + (bend < 0 ? (0.5 * (left - right)) / bend : 0)) * binHz;
      const salience = value / level;
      if (salience < LEAST_SALIENCE || frequencyHz < BASS_MIN_HZ || frequencyHz > MAX_HZ) continue;
      const midi = hzToMidi(frequencyHz);
      const clear = Math.sqrt(value / loudest) * (Math.min(salience, MOST_SALIENCE) / MOST_SALIENCE);
      if (frequencyHz <= BASS_MAX_HZ) addPitch(bass, midi, clear);
      if (frequencyHz >= MIN_HZ) addPitch(column, midi, OCTAVE_WEIGHT ** ((midi - LOWEST_MIDI) / 12) * clear);
    }
  };

  return {
    push: (block) => stft.push(block, onSpectrum),
    finish() {
      stft.finish(onSpectrum);
      return { columns, bass: basses, chroma };
    },
    dispose: () => stft.dispose(),
  };
}

/** Shares a peak out between the two steps of the octave that it lies between. */
function addPitch(column: Float32Array, midi: number, weight: number): void {
  const step = ((midi * PITCH_STEPS) / 12) % PITCH_STEPS;
  const under = Math.floor(step);
  const part = step - under;
  const over = (under + 1) % PITCH_STEPS;
  column[under] = (column[under] ?? 0) + weight * (1 - part);
  column[over] = (column[over] ?? 0) + weight * part;
}
