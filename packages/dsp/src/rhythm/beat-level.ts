import { beatPhaseEvidence, strongestNear } from './beat-phase.ts';
import type { OnsetStrength } from './onset-envelope.ts';

/** Tempo above which undivided beats count as subdivisions of a slower beat. */
const FAST_BPM = 125;
/** Onset strength between beats, relative to that on them, below which beats are undivided. */
const UNDIVIDED = 0.08;
/** Least difference between even and odd beats that halves the tempo, 0 to 1. */
const UNEQUAL = 0.2;
/** Least relative onset strength at both thirds of triplet beats, and its least ratio to that at the half. */
const THIRDS = 0.15;
const THIRDS_LEAD = 2;
/** Least ratio of the low onsets at the half of a bar to those at its thirds. */
const HALVED_LEAD = 1.5;
const SUBDIVISIONS = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4];

/**
 * Returns the onset strength at a fraction of each beat interval, relative to that on the beats.
 *
 * @param fraction 0 (the beat) to 1 (the next one)
 * @returns 0 for fewer than two beats and for beats without onsets
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

/** Whether beats are divided in three, as in 6/8: onsets at both thirds, few at the half. */
export function isDividedInThree(envelope: Float32Array, beats: readonly number[]): boolean {
  const thirds = Math.min(strengthBetween(envelope, beats, 1 / 3), strengthBetween(envelope, beats, 2 / 3));
  return thirds >= THIRDS && thirds > THIRDS_LEAD * strengthBetween(envelope, beats, 1 / 2);
}

/**
 * Whether bars that seem to have three beats have two beats of three eighths each.
 *
 * This is the case if their low onsets lie at the half rather than at the thirds.
 *
 * @param bars downbeats in hops
 */
export function isHalvedBar(onsets: OnsetStrength, bars: readonly number[]): boolean {
  const thirds = Math.max(strengthBetween(onsets.low, bars, 1 / 3), strengthBetween(onsets.low, bars, 2 / 3));
  return strengthBetween(onsets.low, bars, 1 / 2) > HALVED_LEAD * thirds;
}

/** Whether there are hardly any onsets between the beats. */
export function isUndivided(envelope: Float32Array, beats: readonly number[]): boolean {
  return SUBDIVISIONS.every((fraction) => strengthBetween(envelope, beats, fraction) < UNDIVIDED);
}

/**
 * Returns the beats at the metrical level at which people count.
 *
 * Fast undivided beats of which every second one differs are the eighths of a slow song: of the even and the odd ones,
 * those with the better beat evidence are kept.
 *
 * @param beats hops, ascending
 * @param bpm tempo of `beats`
 * @returns `beats` itself where nothing suggests a slower level
 * @see Klapuri, Eronen and Astola, "Analysis of the meter of acoustic musical signals", IEEE TASLP 14, 2006 (joint
 *   estimation of metrical levels)
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

/** Returns how much a curve differs between even and odd beats, 0 (equal) to 1. */
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
