import { createPowerSpectra, type PowerSpectrum } from '../transform/power-spectra.ts';
import { hannWindow } from '../transform/window.ts';
import { SPECTRAL_FRAME, SPECTRAL_HOP } from './spectral-track.ts';

/** Sample rate of the input in Hz. */
export const SINGING_SAMPLE_RATE = 22_050;

const COLUMNS_PER_SECOND = SINGING_SAMPLE_RATE / SPECTRAL_HOP;
/** Frequency range of the partials in Hz. */
const MIN_HZ = 180;
const MAX_HZ = 4_500;
/** Least power of a peak relative to the loudest, and to the level around it. */
const LEAST_PEAK = 0.02;
const LEAST_SALIENCE = 2;
const LEVEL_BINS = 8;
/** Level below which a column is silent. */
const SILENT = 1e-3;
/** Cents between columns: limits between a steady, a gliding and another partial. */
const STANDING_CENTS = 7;
const GLIDING_CENTS = 100;
const SAME_PARTIAL_CENTS = 120;
/** Tolerance in cents within which partials glide together. */
const TOGETHER_CENTS = 8;
const TOGETHER_RATIO = 0.15;
const LEAST_TOGETHER = 3;
/** Least fraction of the partials that glide together in two consecutive columns, in the same direction and as fast. */
const LEAST_GLIDE = 0.2;
const SMOOTH_CENTS = 30;
/** Half the window around each second in seconds. */
const REACH_SECONDS = 1.5;
/**
 * Weights of a logistic regression on gliding (its logarithm), the number of partials and the steady fraction, fitted
 * to synthetic songs and to mixtures with known vocals (`bench/singing.bench.ts`).
 */
const WEIGHTS = { bias: 1.16, glide: 1.75, partials: 3.82, standing: 3.32 } as const;
const LEAST_LOGARITHM = 0.003;
const MANY_PARTIALS = 20;

/** Detects singing in spectra that are computed elsewhere. */
export interface SingingDetector {
  /** Adds the next spectrum: frames of 2,048 samples at 22,050 Hz every 512, with a Hann window. */
  readonly add: (spectrum: Pick<PowerSpectrum, 'magnitude'>) => void;
  /** Returns the probability of singing in each second, 0 to 1; 0 in silence. */
  finish(): Float32Array;
}

/** Detects singing in a stream of samples. */
export interface SingingKernel {
  /** Adds the next samples at 22,050 Hz. */
  push(block: Float32Array): void;
  /** Returns the probability of singing in each second, 0 to 1; 0 in silence. */
  finish(): Float32Array;
  /** Frees the memory of the transform. */
  dispose(): void;
}

/** Features of a spectrogram column. */
interface Column {
  /** Fraction of the partials that glide by one interval, and that interval in cents. */
  readonly together: number;
  readonly cents: number;
  readonly standing: number;
  readonly partials: number;
}

const SILENCE: Column = { together: 0, cents: 0, standing: 0, partials: 0 };

/**
 * Creates a detector of singing from the common pitch movement of partials.
 *
 * Unlike those of fretted, percussive or sequenced instruments, all partials of a voice glide together, by the same
 * number of cents from one 23 ms frame to the next: in portamento and vibrato.
 *
 * samples → spectrum → peaks → continuation of the partials of the column before → largest group with a common interval
 * → consistency of its direction → rate around each second
 *
 * Known errors: strings and bent guitar notes may be detected as voices; choirs with loud guitars are missed.
 *
 * @see Regnier and Peeters, "Singing voice detection in music tracks using direct voice vibrato detection", ICASSP 2009
 * @see Hsu and Jang, "Singing pitch extraction by voice vibrato/tremolo estimation and instrument partial deletion",
 *   ISMIR 2010
 */
export function createSingingDetector(): SingingDetector {
  const binHz = SINGING_SAMPLE_RATE / SPECTRAL_FRAME;
  const [firstBin, lastBin] = [Math.floor(MIN_HZ / binHz), Math.ceil(MAX_HZ / binHz)];
  const levelBins = lastBin + LEVEL_BINS + 2;
  const sums = new Float64Array(levelBins + 1);
  const columns: Column[] = [];
  let before: Partial[] = [];

  return {
    add: ({ magnitude }) => {
      let loudest = 0;
      for (let bin = 0; bin < levelBins; bin++) {
        const value = magnitude[bin] ?? 0;
        sums[bin + 1] = (sums[bin] ?? 0) + value;
        if (bin >= firstBin && bin <= lastBin) loudest = Math.max(loudest, value);
      }
      const now: Partial[] = [];
      const last = loudest > SILENT ? lastBin : 0;
      for (let bin = firstBin; bin <= last; bin++) {
        const value = magnitude[bin] ?? 0;
        const [left, right] = [magnitude[bin - 1] ?? 0, magnitude[bin + 1] ?? 0];
        if (value < LEAST_PEAK * loudest || value <= left || value < right) continue;
        const level =
          ((sums[bin + LEVEL_BINS + 1] ?? 0) - (sums[bin - LEVEL_BINS] ?? 0)) / (2 * LEVEL_BINS + 1);
        if (value < LEAST_SALIENCE * level) continue;
        // The main lobe of a Hann window is nearly a parabola in decibels.
        const [low, top, high] = [left, value, right].map((one) => Math.log(one + 1e-9)) as [
          number,
          number,
          number,
        ];
        const bend = low - 2 * top + high;
        const offset = bend < 0 ? (0.5 * (low - high)) / bend : 0;
        now.push({ cents: 1_200 * Math.log2((bin + offset) * binHz), weight: Math.sqrt(value / loudest) });
      }
      columns.push(now.length > 0 ? compare(before, now) : SILENCE);
      before = now;
    },
    finish: () => judge(columns),
  };
}

/** Creates a detector of singing with spectra of its own. `loadFft` must have finished on this thread. */
export function createSingingKernel(): SingingKernel {
  const spectra = createPowerSpectra({
    size: SPECTRAL_FRAME,
    hop: SPECTRAL_HOP,
    window: hannWindow(SPECTRAL_FRAME),
  });
  const detector = createSingingDetector();
  return {
    push: (block) => spectra.push(block, detector.add),
    finish() {
      spectra.finish(detector.add);
      return detector.finish();
    },
    dispose: () => spectra.dispose(),
  };
}

interface Partial {
  readonly cents: number;
  readonly weight: number;
}

/** Compares the partials of a column with those before; both ascend in pitch. */
function compare(before: readonly Partial[], now: readonly Partial[]): Column {
  let total = 0;
  let standing = 0;
  let at = 0;
  const moving: Partial[] = [];
  for (const { cents, weight } of now) {
    while (at + 1 < before.length && (before[at + 1]?.cents ?? 0) <= cents) at++;
    const under = cents - (before[at]?.cents ?? Number.NEGATIVE_INFINITY);
    const over = cents - (before[at + 1]?.cents ?? Number.POSITIVE_INFINITY);
    const step = Math.abs(under) < Math.abs(over) ? under : over;
    if (!(Math.abs(step) < SAME_PARTIAL_CENTS)) continue;
    total += weight;
    if (Math.abs(step) < STANDING_CENTS) standing += weight;
    else if (Math.abs(step) < GLIDING_CENTS) moving.push({ cents: step, weight });
  }
  let together = 0;
  let cents = 0;
  for (const one of moving) {
    const width = TOGETHER_CENTS + TOGETHER_RATIO * Math.abs(one.cents);
    let [sum, count] = [0, 0];
    for (const other of moving) {
      if (Math.abs(other.cents - one.cents) >= width) continue;
      sum += other.weight;
      count++;
    }
    if (count < LEAST_TOGETHER || sum <= together) continue;
    together = sum;
    cents = one.cents;
  }
  const scale = total > 0 ? 1 / total : 0;
  return { together: together * scale, cents, standing: standing * scale, partials: now.length };
}

/** Averages the features of the columns around each second. */
function judge(columns: readonly Column[]): Float32Array {
  const glides = columns.map((column, index) => {
    const last = columns[index - 1] ?? SILENCE;
    const fraction = Math.min(last.together, column.together);
    const isSmooth = last.cents * column.cents > 0 && Math.abs(last.cents - column.cents) < SMOOTH_CENTS;
    return isSmooth && fraction > LEAST_GLIDE ? fraction : 0;
  });
  return Float32Array.from({ length: Math.floor(columns.length / COLUMNS_PER_SECOND) }, (_, second) => {
    const middle = (second + 0.5) * COLUMNS_PER_SECOND;
    const from = Math.max(0, Math.round(middle - REACH_SECONDS * COLUMNS_PER_SECOND));
    const to = Math.min(columns.length, Math.round(middle + REACH_SECONDS * COLUMNS_PER_SECOND));
    let [glide, standing, partials] = [0, 0, 0];
    for (let at = from; at < to; at++) {
      glide += (glides[at] ?? 0) / (to - from);
      standing += (columns[at]?.standing ?? 0) / (to - from);
      partials += (columns[at]?.partials ?? 0) / (to - from);
    }
    if (glide === 0) return 0;
    const score =
      WEIGHTS.bias +
      WEIGHTS.glide * Math.log(glide + LEAST_LOGARITHM) +
      (WEIGHTS.partials * partials) / MANY_PARTIALS +
      WEIGHTS.standing * standing;
    return 1 / (1 + Math.exp(-score));
  });
}
