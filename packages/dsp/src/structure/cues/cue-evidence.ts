import type { BeatLookup } from '../../rhythm/grid/beat-lookup.ts';
import type { CueGround } from './cue-plan.ts';

/** Bars before and after a beat whose energies are compared. */
const BARS_ABOUT = 4;
/** Seconds before and after a time that are compared without beats. */
const SECONDS_ABOUT = 8;
/** Energy range below which the energy counts as constant. */
const LEAST_SPREAD = 0.05;

/** Weights of the evidence; their sum is 1. */
const WEIGHTS = { section: 0.4, energy: 0.3, phrase: 0.15, chord: 0.15 } as const;

/**
 * Evidence that a part begins at a beat, as a confidence.
 *
 * confidence = trust · (0.4 · section begins + 0.3 · energy changes + 0.15 · phrase begins + 0.15 · chord changes)
 *
 * The change of energy is the difference of the means of four bars before and after, relative to the range between the
 * first and the last decile of the track. A phrase counts fully every eight bars from the section's start, half every
 * four, a quarter every two, a tenth every bar. Trust is the mean of 1 and the confidence of the tempo.
 */
export interface CueEvidence {
  /** Returns the change of energy at a time in seconds, −1 to 1. */
  energyChangeAt(seconds: number): number;
  /** Returns the confidence of a beat, 0 to 1. */
  confidenceAt(beat: number): number;
  /** Returns the number of bars from the beginning of the section to a bar. */
  barsIntoSection(bar: number): number;
}

/**
 * Gathers the evidence of a track.
 *
 * @param sectionBeats first beats of the sections, ascending
 */
export function cueEvidenceOf(
  ground: CueGround,
  grid: BeatLookup,
  sectionBeats: readonly number[],
): CueEvidence {
  const { beats, barOf, barStarts } = grid;
  const energyChangeAt = energyChanges(ground, grid);
  const chordBeats = new Set((ground.chords ?? []).slice(1).map(({ start }) => grid.snap(start)));
  const sections = new Set(sectionBeats);
  const trust = 0.5 + 0.5 * Math.min(1, Math.max(0, ground.tempo_confidence ?? 0));
  const firstBars = sectionBeats.map((beat) => Math.max(0, barOf[beat] ?? 0));
  const barsIntoSection = (bar: number): number => bar - (firstBars.findLast((first) => first <= bar) ?? 0);
  const isBarStart = new Set(barStarts);
  const phraseAt = (beat: number): number => {
    if (!isBarStart.has(beat)) return 0;
    const bar = barOf[beat] ?? 0;
    // For the beginning of a section the length of the section before it counts.
    const bars = sections.has(beat) && bar > 0 ? barsIntoSection(bar - 1) + 1 : barsIntoSection(bar);
    if (bars % 8 === 0) return 1;
    if (bars % 4 === 0) return 0.5;
    return bars % 2 === 0 ? 0.25 : 0.1;
  };
  return {
    energyChangeAt,
    barsIntoSection,
    confidenceAt: (beat) =>
      trust *
      (WEIGHTS.section * Number(sections.has(beat)) +
        WEIGHTS.energy * Math.abs(energyChangeAt(beats[beat] ?? 0)) +
        WEIGHTS.phrase * phraseAt(beat) +
        WEIGHTS.chord * Number(chordBeats.has(beat))),
  };
}

/** Returns a function for the change of energy at a time in seconds, −1 to 1; 0 if it is unknown. */
export function energyChanges(
  ground: CueGround,
  { beats, beatsPerBar }: BeatLookup,
): (seconds: number) => number {
  const curve = ground.energy_curve ?? [];
  const sums = [0];
  for (const value of curve) sums.push((sums.at(-1) ?? 0) + value);
  const sumUntil = (seconds: number): number => {
    const whole = Math.floor(seconds);
    return (sums[whole] ?? 0) + (seconds - whole) * (curve[whole] ?? 0);
  };
  const meanOf = (from: number, to: number): number | null =>
    to - from > 0.5 ? (sumUntil(to) - sumUntil(from)) / (to - from) : null;
  const sorted = curve.toSorted((left, right) => left - right);
  const tenth = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const spread = Math.max(LEAST_SPREAD, tenth(0.9) - tenth(0.1));
  const span = (beats.at(-1) ?? 0) - (beats[0] ?? 0);
  const about = beats.length > 1 ? (BARS_ABOUT * beatsPerBar * span) / (beats.length - 1) : SECONDS_ABOUT;
  return (seconds) => {
    const before = meanOf(Math.max(0, seconds - about), Math.min(curve.length, seconds));
    const after = meanOf(Math.max(0, seconds), Math.min(curve.length, seconds + about));
    if (before === null || after === null) return 0;
    return Math.min(1, Math.max(-1, (after - before) / spread));
  };
}
