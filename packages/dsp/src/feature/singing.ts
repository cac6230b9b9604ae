import { createStft } from '../transform/stft.ts';
import { hannWindow } from '../transform/window.ts';

/** Samples a second of the sound that voices are heard in. */
export const SINGING_SAMPLE_RATE = 22_050;

const FFT_SIZE = 2_048;
const HOP = 512;
const COLUMNS_PER_SECOND = SINGING_SAMPLE_RATE / HOP;
/** Where the partials of a voice are looked for. */
const MIN_HZ = 180;
const MAX_HZ = 4_500;
/** What a peak must reach of the loudest, and how many times the level around it. */
const LEAST_PEAK = 0.02;
const LEAST_SALIENCE = 2;
const LEVEL_BINS = 8;
/** Level under which there is nothing to hear. */
const SILENT = 1e-3;
/** Cents from column to column: a partial stands, glides, or is another one. */
const STANDING_CENTS = 7;
const GLIDING_CENTS = 100;
const SAME_PARTIAL_CENTS = 120;
/** Partials that glide together: by the same interval, give or take. */
const TOGETHER_CENTS = 8;
const TOGETHER_SHARE = 0.15;
const LEAST_TOGETHER = 3;
/** The share of all partials that must glide together, in two columns on end, in one direction and as fast. */
const LEAST_GLIDE = 0.2;
const SMOOTH_CENTS = 30;
/** Seconds before and after the middle of a second that its judgement looks at. */
const REACH_SECONDS = 1.5;
/**
 * What gliding (its logarithm), the number of partials and the standing share say about a voice: a logistic choice that
 * was fitted to invented songs and to mixtures of which the voice is known apart (`bench/singing.bench.ts`).
 */
const WEIGHTS = { bias: 1.16, glide: 1.75, partials: 3.82, standing: 3.32 } as const;
const LEAST_LOGARITHM = 0.003;
const MANY_PARTIALS = 20;

/** Hears whether somebody sings. */
export interface SingingKernel {
  /** Takes in the next samples at 22,050 Hz. */
  push(block: Float32Array): void;
  /** How likely it is in each second that somebody sings, 0 to 1; 0 in silence. */
  finish(): Float32Array;
  /** Gives the transform's memory back. */
  dispose(): void;
}

/** What a column of the spectrum says. */
interface Column {
  /** The share of the partials that glide by one interval, and that interval in cents. */
  readonly together: number;
  readonly cents: number;
  readonly standing: number;
  readonly partials: number;
}

const SILENCE: Column = { together: 0, cents: 0, standing: 0, partials: 0 };

/**
 * Hears voices by what no fretted, struck or sequenced instrument does: all partials of a voice glide together, by the
 * same number of cents, smoothly from one 23 ms to the next, as it slides from note to note and trembles on it.
 *
 * samples → spectrum → peaks → which go on from the column before, and how far they moved → the largest group that
 * moved alike → whether it keeps its direction → how often around each second
 *
 * Strings and bent guitars glide too and are mistaken for voices now and then; choirs behind loud guitars are missed.
 * `loadFft` must have finished on this thread.
 *
 * @see Regnier and Peeters, "Singing voice detection in music tracks using direct voice vibrato detection", ICASSP 2009
 * @see Hsu and Jang, "Singing pitch extraction by voice vibrato/tremolo estimation and instrument partial deletion",
 *   ISMIR 2010
 */
export function createSingingKernel(): SingingKernel {
  const stft = createStft({ size: FFT_SIZE, hop: HOP, window: hannWindow(FFT_SIZE) });
  const binHz = SINGING_SAMPLE_RATE / FFT_SIZE;
  const [firstBin, lastBin] = [Math.floor(MIN_HZ / binHz), Math.ceil(MAX_HZ / binHz)];
  const magnitude = new Float32Array(lastBin + LEVEL_BINS + 2);
  const sums = new Float64Array(magnitude.length + 1);
  const columns: Column[] = [];
  let before: Partial[] = [];

  const onSpectrum = (re: Float32Array, im: Float32Array): void => {
    let loudest = 0;
    for (let bin = 0; bin < magnitude.length; bin++) {
      const value = Math.sqrt((re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2);
      magnitude[bin] = value;
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
      // A Hann window's main lobe is nearly a parabola in decibels.
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
  };

  return {
    push: (block) => stft.push(block, onSpectrum),
    finish() {
      stft.finish(onSpectrum);
      return judge(columns);
    },
    dispose: () => stft.dispose(),
  };
}

interface Partial {
  readonly cents: number;
  readonly weight: number;
}

/** How the partials of a column moved from those before; both ascend in pitch. */
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
    const width = TOGETHER_CENTS + TOGETHER_SHARE * Math.abs(one.cents);
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

/** What the columns around each second say together. */
function judge(columns: readonly Column[]): Float32Array {
  const glides = columns.map((column, index) => {
    const last = columns[index - 1] ?? SILENCE;
    const share = Math.min(last.together, column.together);
    const isSmooth = last.cents * column.cents > 0 && Math.abs(last.cents - column.cents) < SMOOTH_CENTS;
    return isSmooth && share > LEAST_GLIDE ? share : 0;
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
