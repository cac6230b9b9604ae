import { beatPhaseEvidence, strongestNear } from './beat-phase.ts';
import type { OnsetStrength } from './onset-envelope.ts';

/** Beats faster than this that nothing divides are held for divisions of a slower beat. */
const FAST_BPM = 125;
/** What begins between beats, as a share of what begins on them, that counts as no division. */
const UNDIVIDED = 0.08;
/** How differently every second beat must sound: beats all alike are what they seem. */
const UNEQUAL = 0.2;
/** What begins at both thirds of beats divided in three, and how much more than half-way between them. */
const THIRDS = 0.15;
const THIRDS_LEAD = 2;
/** How much more must begin half-way through a bar than at its thirds. */
const HALVED_LEAD = 1.5;
const SUBDIVISIONS = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4];

/**
 * How much begins at a fraction between the beats, as a share of what begins on them.
 *
 * @param fraction 0 to 1 on the way from a beat to the next
 * @returns 0 for fewer than two beats and where nothing begins on them
 */
export function strengthBetween(envelope: Float32Array, beats: readonly number[], fraction: number): number {
  const sumAt = (part: number): number =>
    beats.slice(1).reduce((sum, beat, index) => {
      const before = beats[index] ?? 0;
      const hop = Math.round(before + part * (beat - before));
      return sum + (envelope[hop] ?? 0) + (envelope[hop + 1] ?? 0);
    }, 0);
  const on = sumAt(0);
  return on > 0 ? sumAt(fraction) / on : 0;
}

/** Whether beats are divided in three, as in 6/8: something begins at both thirds, and little half-way. */
export function isDividedInThree(envelope: Float32Array, beats: readonly number[]): boolean {
  const thirds = Math.min(strengthBetween(envelope, beats, 1 / 3), strengthBetween(envelope, beats, 2 / 3));
  return thirds >= THIRDS && thirds > THIRDS_LEAD * strengthBetween(envelope, beats, 1 / 2);
}

/**
 * Whether bars that seem to have three beats have two, each of three eighths: low sounds begin half-way through
 * them rather than at their thirds.
 *
 * @param bars places of the first beats in hops
 */
export function isHalvedBar(onsets: OnsetStrength, bars: readonly number[]): boolean {
  const thirds = Math.max(strengthBetween(onsets.low, bars, 1 / 3), strengthBetween(onsets.low, bars, 2 / 3));
  return strengthBetween(onsets.low, bars, 1 / 2) > HALVED_LEAD * thirds;
}

/** Whether hardly anything begins between the beats. */
export function isUndivided(envelope: Float32Array, beats: readonly number[]): boolean {
  return SUBDIVISIONS.every((fraction) => strengthBetween(envelope, beats, fraction) < UNDIVIDED);
}

/**
 * The beats at the level at which people count: fast beats that nothing divides, of which every second one sounds
 * different, are the eighths of a slow song, and every second one is kept: those that sound more like beats.
 *
 * @param beats places in hops, ascending
 * @param bpm their tempo
 * @returns `beats` themselves where there is no reason to count slower
 * @see Klapuri, Eronen and Astola, "Analysis of the meter of acoustic musical signals", IEEE TASLP 14, 2006 (the
 *   levels of a metre heard together)
 */
export function settleBeatLevel(
  onsets: OnsetStrength,
  envelope: Float32Array,
  beats: readonly number[],
  bpm: number,
): readonly number[] {
  if (bpm <= FAST_BPM || beats.length < 8 || !isUndivided(envelope, beats)) return beats;
  const differences = [onsets.low, onsets.middle, onsets.drum].map((curve) => alternation(curve, beats));
  if (Math.max(...differences) < UNEQUAL) return beats;
  const even = beats.filter((_, index) => index % 2 === 0);
  return beatPhaseEvidence(onsets, even) >= 0 ? even : beats.filter((_, index) => index % 2 === 1);
}

/** How different a curve is at every second beat, 0 (the same) to 1. */
function alternation(curve: Float32Array, beats: readonly number[]): number {
  let sum = 0;
  let difference = 0;
  for (const [index, beat] of beats.entries()) {
    const value = strongestNear(curve, beat);
    sum += value;
    difference += index % 2 === 0 ? value : -value;
  }
  return sum > 0 ? Math.abs(difference) / sum : 0;
}
