import { firstFrom } from '@stem-studio/dsp/time/first-from';
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
  const clicks: PlannedClick[] = [];
  let from = positionSeconds;
  let passed = 0;
  while (passed < horizonSeconds) {
    const left = from + horizonSeconds - passed;
    const wraps = loop !== null && from < loop.endSeconds && loop.endSeconds <= left;
    const until = wraps ? loop.endSeconds : left;
    for (let index = firstFrom(beats, from); index < beats.length; index++) {
      const beat = beats[index] ?? 0;
      if (beat >= until) break;
      clicks.push({ afterSeconds: passed + beat - from, isDownbeat: downbeats.has(beat) });
    }
    passed += until - from;
    if (!wraps || loop.endSeconds <= loop.startSeconds) break;
    from = loop.startSeconds;
  }
  return clicks;
}
