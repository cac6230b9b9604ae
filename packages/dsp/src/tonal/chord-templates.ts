import { PITCH_CLASSES } from './camelot.ts';

/** A chord with its chroma template. */
export interface ChordTemplate {
  /** `C`, `Am`, `G7`, `Fmaj7`, `Dm7`; `N` for none. */
  readonly label: string;
  /** Pitch class, 0 (C) to 11; −1 for no chord. */
  readonly root: number;
  /** Whether the chord's third is minor. */
  readonly isMinor: boolean;
  /** Pitch classes of the chord. */
  readonly tones: readonly number[];
  /** Its tones and their harmonics: twelve numbers around a mean of 0, with a sum of squares of 1. */
  readonly chroma: Float64Array;
}

/** Amplitude of each harmonic relative to the one before. */
const HARMONIC_DECAY = 0.5;
const HARMONICS = 6;

const QUALITIES = [
  { suffix: '', intervals: [0, 4, 7], isMinor: false },
  { suffix: 'm', intervals: [0, 3, 7], isMinor: true },
  { suffix: '7', intervals: [0, 4, 7, 10], isMinor: false },
  { suffix: 'maj7', intervals: [0, 4, 7, 11], isMinor: false },
  { suffix: 'm7', intervals: [0, 3, 7, 10], isMinor: true },
] as const;

/**
 * Templates of sixty chords: major, minor, dominant, major and minor seventh on each pitch class.
 *
 * Each is the sum of the harmonics of its notes, each harmonic half as strong as the one before.
 *
 * @see Gómez, "Tonal description of polyphonic audio for music content processing", INFORMS J. Computing 18, 2006
 * @see Papadopoulos and Peeters, "Large-scale study of chord estimation algorithms based on chroma representation and
 *   HMM", CBMI 2007 (harmonics in the templates)
 */
export const chordTemplates: readonly ChordTemplate[] = QUALITIES.flatMap(({ suffix, intervals, isMinor }) =>
  PITCH_CLASSES.map((name, root) => {
    const tones = intervals.map((interval) => (root + interval) % 12);
    return { label: `${name}${suffix}`, root, isMinor, tones, chroma: harmonicsOf(tones) };
  }),
);

function harmonicsOf(tones: readonly number[]): Float64Array {
  const chroma = new Float64Array(12);
  for (const tone of tones) {
    for (let harmonic = 1; harmonic <= HARMONICS; harmonic++) {
      const pitchClass = (tone + Math.round(12 * Math.log2(harmonic))) % 12;
      chroma[pitchClass] = (chroma[pitchClass] ?? 0) + HARMONIC_DECAY ** (harmonic - 1);
    }
  }
  const mean = chroma.reduce((sum, value) => sum + value, 0) / 12;
  const norm = Math.sqrt(chroma.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return chroma.map((value) => (value - mean) / norm);
}
