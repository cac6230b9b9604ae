import { planEvents } from '../clock/event-plan.ts';
import type { LoopRegion } from '../clock/playback-clock.ts';

/** A click in the near future. */
export interface PlannedClick {
  /** Time until it is audible, in seconds of the song. */
  readonly afterSeconds: number;
  /** Whether it marks a downbeat. */
  readonly isDownbeat: boolean;
}

/**
 * Returns the clicks on the beats that a player passes next, along its loop.
 *
 * @param beats seconds of the song, ascending
 * @param downbeats those of `beats` that begin a bar
 * @param positionSeconds the audible position
 * @param horizonSeconds how far to look ahead, in seconds of the song
 * @param loop null where none is active; a loop that ends before the position is ignored
 */
export function planClicks(
  beats: readonly number[],
  downbeats: ReadonlySet<number>,
  positionSeconds: number,
  horizonSeconds: number,
  loop: LoopRegion | null,
): PlannedClick[] {
  return planEvents(beats, positionSeconds, horizonSeconds, loop).map(({ index, afterSeconds }) => ({
    afterSeconds,
    isDownbeat: downbeats.has(beats[index] ?? Number.NaN),
  }));
}
