import { beatAt, secondsAtBeat } from '../../time/beat-place.ts';

/** A grid of beats that are all equally far apart. */
export interface EvenGrid {
  readonly kind: 'even';
  /** Beats a minute. */
  readonly bpm: number;
  /** Where beat 0 falls, which begins a bar. Any moment will do, also outside of the song. */
  readonly oneSeconds: number;
  readonly timeSignature: string;
}

/** A grid that follows the drift of beats that were heard. */
export interface FollowingGrid {
  readonly kind: 'following';
  /** Place of beat 0, which begins a bar, among the heard beats: 0 is the first of them, 0.5 halfway to the second. */
  readonly one: number;
  /** Heard beats from one beat to the next: 0.5 where there are twice as many, 2 where there are half as many. */
  readonly step: number;
  /** How much later all beats are than the heard ones. */
  readonly offsetSeconds: number;
  readonly timeSignature: string;
}

/**
 * Beats and bars as a rule, which reaches over the whole song and can be counted in both directions. What it follows,
 * the beats that were heard, stands beside it: it is the same for all rules that were made of them.
 */
export type HandGrid = EvenGrid | FollowingGrid;

/** Times and counts of the beats of a grid. */
export interface BeatCount {
  /** When beat `count` falls, in seconds: 0 begins a bar, negative ones come before it, fractions lie between beats. */
  readonly secondsOf: (count: number) => number;
  /** What beat a moment is, as a fraction where it lies between two. */
  readonly countOf: (seconds: number) => number;
}

/**
 * Counts the beats of a grid.
 *
 * @param heard the beats that a following grid follows, in seconds, ascending; an even one needs none
 * @throws RangeError where a following grid has fewer than two beats to follow
 */
export function beatCountOf(grid: HandGrid, heard: readonly number[]): BeatCount {
  if (grid.kind === 'even') {
    const periodSeconds = 60 / grid.bpm;
    return {
      secondsOf: (count) => grid.oneSeconds + count * periodSeconds,
      countOf: (seconds) => (seconds - grid.oneSeconds) / periodSeconds,
    };
  }
  if (heard.length < 2)
    throw new RangeError(`a grid that follows needs two heard beats or more (got ${heard.length})`);
  const { one, step, offsetSeconds } = grid;
  return {
    secondsOf: (count) => secondsAtBeat(one + count * step, heard) + offsetSeconds,
    countOf: (seconds) => (beatAt(seconds - offsetSeconds, heard) - one) / step,
  };
}
