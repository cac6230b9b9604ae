import { type Mode, PITCH_CLASSES } from './camelot.ts';
import { chordTemplates } from './chord-templates.ts';
import type { LabelledSpan } from './chords.ts';
import { albrechtProfile, type KeyProfile, temperleyProfile } from './key-profiles.ts';

/** Evidence for one of the 24 keys. */
export interface KeyEvidence {
  /** Pitch class, 0 (C) to 11. */
  readonly tonic: number;
  readonly mode: Mode;
  /** Correlations of the chroma with the profiles of the key, −1 to 1. */
  readonly temperley: number;
  readonly albrecht: number;
  /** Fraction of the time with the tonic chord, 0 to 1. */
  readonly tonicFraction: number;
  /** Fraction of the chord changes from the major dominant to the tonic, 0 to 1. */
  readonly cadences: number;
  /** Correlation of the first seconds with the tonic chord, −1 to 1. */
  readonly opening: number;
}

/** Contribution of a note to the pitch class a fifth above it through its third harmonic. */
const HARMONIC = 0.15;
/** Number of columns that are not silent in the opening: about four seconds. */
const OPENING_COLUMNS = 43;
/** Weights of the tonic chord: root, third, fifth. */
const CHORD_WEIGHTS = [1, 0.8, 0.9] as const;

/** The 24 keys, major from C up, then minor. */
export const allKeys: readonly { readonly tonic: number; readonly mode: Mode; readonly name: string }[] = (
  ['major', 'minor'] as const
).flatMap((mode) => PITCH_CLASSES.map((name, tonic) => ({ tonic, mode, name: `${name} ${mode}` })));

/**
 * Returns the evidence for each key in the order of {@link allKeys}.
 *
 * Profiles distinguish keys by their notes; keys with the same notes are distinguished by the tonic chord: its
 * duration, its cadences and the opening.
 *
 * @param chroma columns of twelve pitch classes, C first
 * @param chords detected without a key; without them the evidence of tonic and cadences is 0
 * @see Krumhansl, "Cognitive foundations of musical pitch", Oxford 1990, chapter 4 (correlation with profiles)
 * @see Gómez, "Estimating the tonality of polyphonic audio files", ISMIR 2004 (harmonics in the profiles)
 * @see Temperley, "The cognition of basic musical structures", MIT Press 2001, chapter 7 (notes alone do not determine
 *   the key)
 */
export function gatherKeyEvidence(
  chroma: readonly Float32Array[],
  histogram: Float64Array,
  chords: readonly LabelledSpan[],
): KeyEvidence[] {
  const opening = openingOf(chroma);
  const course = chords.flatMap(({ start, end, label }) => {
    const chord = chordTemplates.find((template) => template.label === label);
    return chord ? [{ seconds: end - start, chord, isMajorThird: !chord.isMinor }] : [];
  });
  const seconds = course.reduce((sum, span) => sum + span.seconds, 0);
  const changes = Math.max(1, course.length - 1);
  return allKeys.map(({ tonic, mode }, index) => {
    const isTonic = (at: number): boolean => {
      const chord = course[at]?.chord;
      return chord !== undefined && chord.root === tonic && chord.isMinor === (mode === 'minor');
    };
    let home = 0;
    let cadences = 0;
    course.forEach((span, at) => {
      if (!isTonic(at)) return;
      home += span.seconds;
      const before = course[at - 1];
      if (before?.isMajorThird && before.chord.root === (tonic + 7) % 12) cadences++;
    });
    const profiles = PROFILES[index];
    return {
      tonic,
      mode,
      temperley: profiles ? correlation(histogram, profiles.temperley) : 0,
      albrecht: profiles ? correlation(histogram, profiles.albrecht) : 0,
      tonicFraction: seconds > 0 ? home / seconds : 0,
      cadences: cadences / changes,
      opening: correlation(opening, tonicChord(tonic, mode)),
    };
  });
}

/** Returns the chroma of the first columns that are not silent, with equal weights. */
function openingOf(chroma: readonly Float32Array[]): Float64Array {
  const sum = new Float64Array(12);
  let counted = 0;
  for (const column of chroma) {
    const total = column.reduce((all, value) => all + value, 0);
    if (total <= 0) continue;
    for (let pitch = 0; pitch < 12; pitch++) sum[pitch] = (sum[pitch] ?? 0) + (column[pitch] ?? 0) / total;
    if (++counted === OPENING_COLUMNS) break;
  }
  return sum;
}

function tonicChord(tonic: number, mode: Mode): Float64Array {
  const chord = new Float64Array(12);
  [0, mode === 'major' ? 4 : 3, 7].forEach((semitones, tone) => {
    chord[(tonic + semitones) % 12] = CHORD_WEIGHTS[tone] ?? 0;
  });
  return chord;
}

const PROFILES = allKeys.map(({ tonic, mode }) => ({
  temperley: profileOf(temperleyProfile, mode, tonic),
  albrecht: profileOf(albrechtProfile, mode, tonic),
}));

function profileOf(profile: KeyProfile, mode: Mode, tonic: number): Float64Array {
  const degrees = profile[mode];
  return Float64Array.from({ length: 12 }, (_, pitchClass) => {
    const degree = (pitchClass - tonic + 12) % 12;
    // The fifth above the note five semitones up (seven down) is this degree.
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
