import { isDividedInThree } from './beat-level.ts';
import { positionsBetween, strongestNear } from './beat-phase.ts';
import { ONSET_RATE } from './onset-envelope.ts';
import type { RhythmEvidence } from './rhythm-evidence.ts';

/** How much more probable other beats must be than the tracked ones: twice. */
const CHANGE_COST = Math.log(2);
/** Added for other metrical levels, about which listeners disagree. */
const LEVEL_COST = 2;
/** Added for other phases where a bass drum is on every tracked beat and never halfway. */
const DRUM_COST = 3;
/** Added for other tempi where low onsets are on every tracked beat, which is divided in three. */
const COMPOUND_COST = 3;
/** Ratios of the tempo at other levels, and the relative tolerance of tempi. */
const LEVELS = [1 / 3, 1 / 2, 2, 3];
const SAME_TEMPO = 0.05;

/**
 * Returns a function that tells the log-probability of beats in relation to that of the tracked ones, before the evidence.
 *
 * The costs are chosen by reason and in round numbers. The learned weights say how music sounds, invented songs included,
 * but not at which level people count it: that is the preference for tempi in `tempo.ts`, by which the tracked beats were
 * found. A bass drum on every beat is what listeners go by, whatever lies between; and beats of 6/8 are not counted in twos.
 *
 * @param tracked beats found without the network, in seconds
 * @see McKinney and Moelants, "Ambiguity in tempo perception: what draws listeners to different metrical levels?", Music
 *   Perception 24, 2006
 * @see Goto, "An audio-based real-time beat tracking system for music with or without drum-sounds", J. New Music
 *   Research 30, 2001
 */
export function createChangePrior(
  { onsets, envelope }: RhythmEvidence,
  tracked: readonly number[],
): (beats: readonly number[]) => number {
  const positions = tracked.map((beat) => beat * ONSET_RATE);
  const hasDrum = isOnEveryBeat(onsets.drum, positions);
  const isCompound = isDividedInThree(envelope, positions) && isOnEveryBeat(onsets.low, positions);
  return (beats) => {
    const ratio = periodOf(tracked) / periodOf(beats);
    const isTempo = (other: number): boolean => Math.abs(ratio / other - 1) < SAME_TEMPO;
    if (isTempo(1)) return -CHANGE_COST - (hasDrum ? DRUM_COST : 0);
    return -CHANGE_COST - (LEVELS.some(isTempo) ? LEVEL_COST : 0) - (isCompound ? COMPOUND_COST : 0);
  };
}

function periodOf(beats: readonly number[]): number {
  return ((beats.at(-1) ?? 0) - (beats[0] ?? 0)) / Math.max(1, beats.length - 1);
}

/** Part of a loud onset from which another one counts, and least part of the beats with one, less those between. */
const LOUD = 0.3;
const STEADY = 0.85;

/** Whether an onset curve rises on nearly every beat and hardly ever halfway. */
function isOnEveryBeat(curve: Float32Array, positions: readonly number[]): boolean {
  const on = positions.map((position) => strongestNear(curve, position));
  const half = positionsBetween(positions).map((position) => strongestNear(curve, position));
  const loudest = [...on, ...half].toSorted((left, right) => right - left);
  const least = LOUD * (loudest[Math.floor(loudest.length / 10)] ?? 0);
  if (least < 1e-4) return false;
  const part = (values: readonly number[]): number =>
    values.filter((value) => value > least).length / Math.max(1, values.length);
  return part(on) >= STEADY && part(half) <= 1 - STEADY;
}
