import { createChromaFilterBank } from '../feature/chroma-filter.ts';
import { createPowerSpectra, type PowerSpectrum } from '../transform/power-spectra.ts';
import { hannWindow } from '../transform/window.ts';
import { hzToMidi } from '../units.ts';

/** Sample rate of the input in Hz. */
export const PITCH_SAMPLE_RATE = 22_050;
/** Samples per column: 93 ms. */
export const PITCH_HOP = 2_048;
/** Steps per octave, finer than semitones because the tuning is estimated at the end. */
export const PITCH_STEPS = 60;

const FFT_SIZE = 8_192;
const MIN_HZ = 55;
const MAX_HZ = 3_000;
/** Frequency range of the bass in Hz. */
const BASS_MIN_HZ = 38;
const BASS_MAX_HZ = 210;
/** Half the width, in bins, of the neighbourhood whose mean is the level around a peak. */
const LEVEL_BINS = 24;
/** Least power of a peak relative to the loudest of its column. */
const RANGE = 1e-6;
/** Least ratio of a peak to the level around it, and ratio of full weight. */
const LEAST_SALIENCE = 1.5;
const MOST_SALIENCE = 8;
/** Factor of a peak's weight per octave: higher peaks are more likely harmonics. */
const OCTAVE_WEIGHT = 0.8;
const LOWEST_MIDI = 33;

/** Pitch content of each column, folded into one octave. */
export interface PitchColumns {
  /** `PITCH_STEPS` values per column, step 0 at C for A4 = 440 Hz; 0 in silence. */
  readonly columns: readonly Float32Array[];
  /** Columns of 38 to 210 Hz, the range of the bass. */
  readonly bass: readonly Float32Array[];
  /** Chroma by the reference definition, C first; empty unless requested. */
  readonly chroma: readonly Float32Array[];
}

/** Detects pitches column by column. */
export interface PitchKernel {
  /** Adds the next samples at 22,050 Hz. */
  push(block: Float32Array): void;
  /** Returns the result; column t is centred on sample t · 2048. */
  finish(): PitchColumns;
  /** Frees the memory of the transform. */
  dispose(): void;
}

/**
 * Creates a pitch detector.
 *
 * samples → spectrum of 8,192 → peaks with parabolic interpolation → ratio to the mean level around each, which removes
 * the spectral envelope → weight that falls with frequency → folding into one octave in fifths of a semitone.
 *
 * @param options.chroma whether the chroma of the reference definition is computed too
 * @see Gómez, "Tonal description of polyphonic audio for music content processing", INFORMS J. Computing 18, 2006
 * @see Müller and Ewert, "Chroma toolbox: MATLAB implementations for extracting variants of chroma-based audio
 *   features", ISMIR 2011
 */
export function createPitchKernel({ chroma: wantsChroma = false } = {}): PitchKernel {
  const spectra = createPowerSpectra({ size: FFT_SIZE, hop: PITCH_HOP, window: hannWindow(FFT_SIZE) });
  const binHz = PITCH_SAMPLE_RATE / FFT_SIZE;
  const firstBin = Math.floor(MIN_HZ / binHz);
  const bassBin = Math.floor(BASS_MIN_HZ / binHz);
  const lastBin = Math.ceil(MAX_HZ / binHz);
  const levelBins = lastBin + LEVEL_BINS + 2;
  const sums = new Float64Array(levelBins + 1);
  const columns: Float32Array[] = [];
  const basses: Float32Array[] = [];
  const chroma: Float32Array[] = [];
  const bank = createChromaFilterBank({ sampleRate: PITCH_SAMPLE_RATE, fftSize: FFT_SIZE });

  const onSpectrum = ({ power, magnitude }: PowerSpectrum): void => {
    if (wantsChroma) chroma.push(bank.apply(power));
    let loudest = 0;
    for (let bin = 0; bin < levelBins; bin++) {
      const value = magnitude[bin] ?? 0;
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
      const to = Math.min(levelBins, bin + LEVEL_BINS + 1);
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
    push: (block) => spectra.push(block, onSpectrum),
    finish() {
      spectra.finish(onSpectrum);
      return { columns, bass: basses, chroma };
    },
    dispose: () => spectra.dispose(),
  };
}

/** Distributes a peak between its two neighbouring steps of the octave. */
function addPitch(column: Float32Array, midi: number, weight: number): void {
  const step = ((midi * PITCH_STEPS) / 12) % PITCH_STEPS;
  const under = Math.floor(step);
  const part = step - under;
  const over = (under + 1) % PITCH_STEPS;
  column[under] = (column[under] ?? 0) + weight * (1 - part);
  column[over] = (column[over] ?? 0) + weight * part;
}
