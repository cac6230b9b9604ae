import { PITCH_CLASSES } from './camelot.ts';
import { type ChordTemplate, chordTemplates } from './chord-templates.ts';

/** A labelled span; times in seconds. */
export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Harmony between two times. */
export interface HarmonySlice {
  readonly start: number;
  readonly end: number;
  /** Chroma, C first. */
  readonly chroma: Float32Array;
  /** Chroma of the bass. */
  readonly bass: Float32Array;
  /** Whether a bar begins here: harmony changes most often there. */
  readonly isDownbeat: boolean;
}

/** Scale of the correlations, and weight of the bass. */
const SHARPNESS = 12;
const BASS_WEIGHT = 1.2;
/** Cost of a chord of four notes, and of notes outside the key. */
const SEVENTH_COST = 0.3;
const OUTSIDE_COST = 0.9;
/** Cost of a chord change on a beat, and on a downbeat. */
const CHANGE_COST = 4;
const DOWNBEAT_CHANGE_COST = 1.5;
/** Correlation of the no-chord state: the value that noise reaches with the best chord. */
const NO_CHORD_LIKENESS = 0.35;
/** Level below which a slice has no chord, relative to the median. */
const QUIET = 0.05;
/** Relative deviation of the chroma below which a slice has no chord. */
const LEAST_CONTRAST = 0.08;

/**
 * Detects the chords of a track beat by beat.
 *
 * Chroma and bass of each slice are correlated with sixty chords; the best path has a cost for changes, lower on
 * downbeats, and for notes outside the key.
 *
 * @param slices from the first beat to the last, one after another
 * @param key such as `A minor`; empty if there is none
 * @returns chords over all slices without gaps, equal neighbours joined; `N` for no chord; empty for no slices
 * @see Sheh and Ellis, "Chord segmentation and recognition using EM-trained hidden Markov models", ISMIR 2003
 * @see Mauch and Dixon, "Simultaneous estimation of chords and musical context from audio", IEEE TASLP 18, 2010 (key
 *   and bass as context)
 * @spec Key and chords
 */
export function findChords(slices: readonly HarmonySlice[], key: string): LabelledSpan[] {
  const scale = scaleOf(key);
  const priors = chordTemplates.map((template) => -priorCost(template, scale));
  const usual = median(slices.map(({ chroma }) => sumOf(chroma)));
  const states = chordTemplates.length + 1;
  const score = new Float64Array(states);
  const before: Int16Array[] = [];
  for (const slice of slices) {
    const fits = fitsOf(slice, priors, usual);
    let best = 0;
    for (let state = 1; state < states; state++) if ((score[state] ?? 0) > (score[best] ?? 0)) best = state;
    const leap = (score[best] ?? 0) - (slice.isDownbeat ? DOWNBEAT_CHANGE_COST : CHANGE_COST);
    const from = new Int16Array(states);
    for (let state = 0; state < states; state++) {
      const stay = score[state] ?? 0;
      from[state] = stay >= leap ? state : best;
      score[state] = Math.max(stay, leap) + (fits[state] ?? 0);
    }
    before.push(from);
  }
  let state = score.indexOf(Math.max(...score));
  const spans: LabelledSpan[] = [];
  for (let index = slices.length - 1; index >= 0; index--) {
    const { start, end } = slices[index] as HarmonySlice;
    const label = chordTemplates[state]?.label ?? 'N';
    const next = spans.at(-1);
    if (next?.label === label) spans[spans.length - 1] = { ...next, start };
    else spans.push({ start, end, label });
    state = before[index]?.[state] ?? state;
  }
  return spans.reverse();
}

/** Returns the score of a slice for each chord; the last one is no chord. */
function fitsOf(slice: HarmonySlice, priors: readonly number[], usual: number): Float64Array {
  const fits = new Float64Array(chordTemplates.length + 1);
  const total = sumOf(slice.chroma);
  const chroma = slice.chroma.map((value) => value - total / 12);
  const norm = Math.sqrt(chroma.reduce((sum, value) => sum + value * value, 0));
  if (total <= QUIET * usual || norm < LEAST_CONTRAST * total) {
    fits.fill(-SHARPNESS);
    fits[chordTemplates.length] = 0;
    return fits;
  }
  const loudestBass = Math.max(1e-9, ...slice.bass);
  for (const [index, template] of chordTemplates.entries()) {
    let likeness = 0;
    for (let at = 0; at < 12; at++) likeness += (chroma[at] ?? 0) * (template.chroma[at] ?? 0);
    const bass = ((slice.bass[template.root] ?? 0) / loudestBass) * Math.min(1, loudestBass / (0.05 * total));
    fits[index] = SHARPNESS * (likeness / norm) + BASS_WEIGHT * bass + (priors[index] ?? 0);
  }
  fits[chordTemplates.length] = SHARPNESS * NO_CHORD_LIKENESS + 0.5 * BASS_WEIGHT;
  return fits;
}

/** Returns the prior cost of a chord. */
function priorCost({ tones }: ChordTemplate, scale: ReadonlySet<number> | null): number {
  const outside = scale ? tones.filter((tone) => !scale.has(tone)).length : 0;
  return OUTSIDE_COST * outside + (tones.length > 3 ? SEVENTH_COST : 0);
}

/** Returns the notes of a key; for minor also the raised seventh. */
function scaleOf(key: string): ReadonlySet<number> | null {
  const [name = '', mode] = key.split(' ');
  const tonic = (PITCH_CLASSES as readonly string[]).indexOf(name);
  if (tonic < 0) return null;
  const degrees = mode === 'minor' ? [0, 2, 3, 5, 7, 8, 10, 11] : [0, 2, 4, 5, 7, 9, 11];
  return new Set(degrees.map((degree) => (tonic + degree) % 12));
}

function sumOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
