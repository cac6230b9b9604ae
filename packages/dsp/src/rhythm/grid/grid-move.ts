import { type Factor, tempoFactors } from './grid-edits.ts';
import { type GridRule, timelineOf } from './grid-rule.ts';

/** Largest distance of a position from a beat on which it counts as set, in seconds. */
const ON_BEAT_SECONDS = 0.01;
/** Offset of a beat rounded to whole milliseconds: it is dropped, so that the rounding of many edits does not add up. */
const ROUNDED_SECONDS = 0.0005 + 1e-9;
/** Largest relative difference of a corrected tempo from the old one or a multiple of it: beyond it is another grid. */
const SAME_GRID = 0.05;
/** Relative difference below which two tempi are equal. */
const SAME_TEMPO = 1e-4;

/** Takes positions from a beat grid to an edited one, in seconds of the song. */
export interface GridMove {
  /** Returns the position on the same beat of the edited grid; null for a position that is on no beat. */
  readonly onBeat: (seconds: number) => number | null;
  /** Returns the position at the same fraction between two beats. */
  readonly between: (seconds: number) => number;
}

/** A grid and the detected beats that it refers to, in seconds, ascending. */
export interface RuledBeats {
  readonly grid: GridRule;
  readonly detected: readonly number[];
}

/**
 * Returns the move from a grid to an edited one.
 *
 * A beat keeps its number: `after(n · factor + renumbering) − before(n)` is its distance, with a factor where the tempo
 * was doubled, halved or multiplied by 3/2, 2/3, 3 or 1/3. Where the tempo is otherwise the same, renumbering takes each
 * beat to the nearest one, so that an edit of bar lines moves nothing. The move back is the inverse.
 *
 * @returns null where the tempi are unrelated, so that no beat of one corresponds to a beat of the other
 */
export function gridMove(before: RuledBeats, after: RuledBeats): GridMove | null {
  const from = timelineOf(before.grid, before.detected);
  const to = timelineOf(after.grid, after.detected);
  const ratio = (from.secondsAt(64) - from.secondsAt(0)) / (to.secondsAt(64) - to.secondsAt(0));
  const deviation = ([n, d]: Factor) => Math.abs((ratio * d) / n - 1);
  const [factor] = tempoFactors.toSorted((one, other) => deviation(one) - deviation(other));
  if (!factor || !(deviation(factor) <= SAME_GRID)) return null;
  const times = factor[0] / factor[1];
  const renumbering = deviation(factor) <= SAME_TEMPO ? roundHalfToZero(to.beatAt(from.secondsAt(0))) : 0;
  const between = (seconds: number) => to.secondsAt(from.beatAt(seconds) * times + renumbering);
  return {
    between,
    onBeat: (seconds) => {
      const beat = Math.round(from.beatAt(seconds));
      const beatSeconds = from.secondsAt(beat);
      const offset = seconds - beatSeconds;
      if (!(Math.abs(offset) <= ON_BEAT_SECONDS)) return null;
      const moved = to.secondsAt(beat * times + renumbering);
      return Math.abs(offset) <= ROUNDED_SECONDS ? moved : moved + offset;
    },
  };
}

/** Rounds to the nearest integer, and halves to zero, so that a shift by half a beat and its inverse cancel. */
function roundHalfToZero(value: number): number {
  return Math.sign(value) * Math.ceil(Math.abs(value) - 0.5 - 1e-6);
}
