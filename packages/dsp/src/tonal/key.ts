import { type Mode, PITCH_CLASSES, toCamelot } from './camelot.ts';
import { albrechtProfile, type KeyProfile, temperleyProfile } from './key-profiles.ts';

/** The key of a track. */
export interface KeyEstimate {
  /** `A minor`, `F# major`: always sharps; empty where there is no tonality. */
  readonly key: string;
  /** `8A`; empty where there is no key. */
  readonly camelot: string;
  /** 0 to 1: how well the pitches fit this key, and how much worse the next. */
  readonly confidence: number;
}

/** What a note adds to the pitch class a fifth above it, through its third harmonic. */
const HARMONIC = 0.15;
/** Correlation below which nothing is called a key: noise and drums stay under it. */
const LEAST_FIT = 0.4;
/** Deviation of the pitch classes from their mean, as a share of it, that noise does not reach. */
const LEAST_CONTRAST = 0.25;
/** Lead over the next key at which there is no doubt left. */
const CLEAR_LEAD = 0.12;

/**
 * The key whose profile the pitch classes of a track follow best: every column counts alike, however loud; the
 * profiles carry the third harmonic that each note brings along; their correlations are averaged.
 *
 * @param chroma columns of twelve pitch classes, C first
 * @returns no key for silence, noise, and sound of a single pitch class
 * @see Krumhansl, "Cognitive foundations of musical pitch", Oxford 1990, chapter 4 (correlation with profiles)
 * @see Gómez, "Estimating the tonality of polyphonic audio files", ISMIR 2004 (harmonics in the profiles)
 * @spec Analysis
 */
export function findKey(chroma: readonly Float32Array[]): KeyEstimate {
  const histogram = histogramOf(chroma);
  const fits = fitHistogram(histogram).sort((left, right) => right.fit - left.fit);
  const [best, next] = fits;
  if (!best || !next || best.fit < LEAST_FIT || !isTonal(histogram))
    return { key: '', camelot: '', confidence: 0 };
  const clarity = Math.min(1, (best.fit - next.fit) / CLEAR_LEAD);
  const fitness = Math.min(1, (best.fit - LEAST_FIT) / (1 - LEAST_FIT));
  return {
    key: `${PITCH_CLASSES[best.tonic]} ${best.mode}`,
    camelot: toCamelot(best.tonic, best.mode),
    confidence: Math.round(100 * Math.sqrt(clarity * fitness)) / 100,
  };
}

/**
 * How well each of the 24 keys fits columns of pitch classes: the mean correlation with its profiles, −1 to 1, always
 * in the same order.
 */
export function fitKeys(chroma: readonly Float32Array[]): { key: string; fit: number }[] {
  return fitHistogram(histogramOf(chroma)).map(({ tonic, mode, fit }) => ({
    key: `${PITCH_CLASSES[tonic]} ${mode}`,
    fit,
  }));
}

function histogramOf(chroma: readonly Float32Array[]): Float64Array {
  const histogram = new Float64Array(12);
  for (const column of chroma) {
    const total = column.reduce((sum, value) => sum + value, 0);
    if (total <= 0) continue;
    for (let pitchClass = 0; pitchClass < 12; pitchClass++) {
      histogram[pitchClass] = (histogram[pitchClass] ?? 0) + (column[pitchClass] ?? 0) / total;
    }
  }
  return histogram;
}

function fitHistogram(histogram: Float64Array): { tonic: number; mode: Mode; fit: number }[] {
  return KEYS.map(({ profiles, tonic, mode }) => {
    const fit = profiles.reduce((sum, profile) => sum + correlation(histogram, profile), 0) / profiles.length;
    return { tonic, mode, fit };
  });
}

/** Whether some pitch classes, but not one or two alone, stand out: in noise all twelve are alike. */
function isTonal(histogram: Float64Array): boolean {
  const largest = Math.max(...histogram);
  const mean = histogram.reduce((sum, value) => sum + value, 0) / histogram.length;
  const deviation = Math.sqrt(
    histogram.reduce((sum, value) => sum + (value - mean) ** 2, 0) / histogram.length,
  );
  return deviation > LEAST_CONTRAST * mean && histogram.filter((value) => value > 0.05 * largest).length >= 3;
}

const KEYS = (['major', 'minor'] as const).flatMap((mode) =>
  Array.from({ length: 12 }, (_, tonic) => ({
    tonic,
    mode,
    profiles: [temperleyProfile, albrechtProfile].map((profile) => profileOf(profile, mode, tonic)),
  })),
);

function profileOf(profile: KeyProfile, mode: Mode, tonic: number): Float64Array {
  const degrees = profile[mode];
  return Float64Array.from({ length: 12 }, (_, pitchClass) => {
    const degree = (pitchClass - tonic + 12) % 12;
    // The fifth above the note five semitones up (seven down) is this one.
    return (degrees[degree] ?? 0) + HARMONIC * (degrees[(degree + 5) % 12] ?? 0);
  });
}

function correlation(left: Float64Array, right: Float64Array): number {
  const leftMean = left.reduce((sum, value) => sum + value, 0) / left.length;
  const rightMean = right.reduce((sum, value) => sum + value, 0) / right.length;
  let both = 0;
  let leftPower = 0;
  let rightPower = 0;
  for (let at = 0; at < left.length; at++) {
    const x = (left[at] ?? 0) - leftMean;
    const y = (right[at] ?? 0) - rightMean;
    both += x * y;
    leftPower += x * x;
    rightPower += y * y;
  }
  return leftPower > 0 && rightPower > 0 ? both / Math.sqrt(leftPower * rightPower) : 0;
}
