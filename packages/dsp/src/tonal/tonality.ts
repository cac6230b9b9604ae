/** Tonal content of a track before the key is estimated. */
export interface Tonality {
  /** Fraction of each pitch class, C first, with equal weight per column; all 0 in silence. */
  readonly histogram: Float64Array;
  /** Whether there are several sustained notes. */
  readonly isTonal: boolean;
  /**
   * Motion of the harmony: the mean cosine distance of half-second blocks from the whole. About 0 for held tones and
   * noise, 0.08 and more in music.
   */
  readonly motion: number;
}

/** Columns of about half a second. */
const BLOCK = 5;
/** Relative deviation of the pitch classes that noise does not reach. */
const LEAST_CONTRAST = 0.18;
/** Largest mean cosine distance between columns of sustained notes; sirens, sweeps and single drums exceed it. */
const MOST_LEAP = 0.35;
/** Fraction of pitched columns below which pitches are accidental. */
const LEAST_SOUNDING = 0.2;
/** Least number of pitch classes that are no harmonics of another, and their least fraction of the largest. */
const LEAST_NOTES = 3;
const NOTE_FRACTION = 0.06;
/** Largest contributions of the harmonics of a note to other classes: fifth, third, seventh, second. */
const HARMONICS: readonly (readonly [semitones: number, most: number])[] = [
  [7, 0.6],
  [4, 0.45],
  [10, 0.25],
  [2, 0.3],
  [6, 0.15],
  [11, 0.15],
];

/**
 * Measures the tonal content of a track.
 *
 * A held tone, a tuned drum, noise, a siren and silence have none; a held chord has notes and no motion.
 *
 * @param chroma columns of twelve pitch classes, C first
 */
export function measureTonality(chroma: readonly Float32Array[]): Tonality {
  const histogram = new Float64Array(12);
  let sounding = 0;
  let leaps = 0;
  let pairs = 0;
  let before: Float64Array | null = null;
  const blocks: Float64Array[] = [];
  chroma.forEach((column, index) => {
    const total = column.reduce((sum, value) => sum + value, 0);
    if (total <= 0) {
      before = null;
      return;
    }
    sounding++;
    const unit = Float64Array.from(column, (value) => value / total);
    if (before) {
      leaps += distance(before, unit);
      pairs++;
    }
    before = unit;
    const block = (blocks[Math.floor(index / BLOCK)] ??= new Float64Array(12));
    for (let pitch = 0; pitch < 12; pitch++) {
      histogram[pitch] = (histogram[pitch] ?? 0) + (unit[pitch] ?? 0);
      block[pitch] = (block[pitch] ?? 0) + (unit[pitch] ?? 0);
    }
  });
  const measuredBlocks = blocks.filter((block) => block !== undefined);
  const motion =
    measuredBlocks.reduce((sum, block) => sum + distance(block, histogram), 0) /
    Math.max(1, measuredBlocks.length);
  const isLasting = pairs > 0 && leaps / pairs < MOST_LEAP && sounding >= LEAST_SOUNDING * chroma.length;
  return {
    histogram: histogram.map((value) => value / Math.max(1, sounding)),
    motion,
    isTonal: isLasting && contrastOf(histogram) > LEAST_CONTRAST && countNotes(histogram) >= LEAST_NOTES,
  };
}

/** Returns the relative deviation of twelve numbers from their mean; 0 if all are 0. */
function contrastOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / 12;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 12);
  return mean > 0 ? deviation / mean : 0;
}

/** Counts the pitch classes that are not explained by harmonics of the largest, including the largest itself. */
function countNotes(histogram: Float64Array): number {
  const largest = Math.max(...histogram);
  if (!(largest > 0)) return 0;
  const root = histogram.indexOf(largest);
  const most = new Map(HARMONICS.map(([semitones, contribution]) => [(root + semitones) % 12, contribution]));
  return Array.from(histogram).filter((value, pitch) => {
    return value > (NOTE_FRACTION + (most.get(pitch) ?? 0)) * largest;
  }).length;
}

function distance(left: Float64Array, right: Float64Array): number {
  let both = 0;
  let leftPower = 0;
  let rightPower = 0;
  for (let at = 0; at < 12; at++) {
    both += (left[at] ?? 0) * (right[at] ?? 0);
    leftPower += (left[at] ?? 0) ** 2;
    rightPower += (right[at] ?? 0) ** 2;
  }
  return leftPower > 0 && rightPower > 0 ? 1 - both / Math.sqrt(leftPower * rightPower) : 0;
}
