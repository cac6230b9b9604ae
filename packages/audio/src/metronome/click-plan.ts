import { firstFrom } from '@stem-studio/dsp/time/first-from';
import type { LoopRegion } from '../clock/playback-clock.ts';

/** A click to come. */
export interface PlannedClick {
  /** How long after now it is to be heard, in seconds of the song. */
  readonly afterSeconds: number;
  /** Whether it is the first of a bar. */
  readonly isDownbeat: boolean;
}

/**
 * The clicks on the beats that a player passes from a place on, switching round with its loop.
 *
 * @param beats seconds of the song, ascending
 * @param downbeats those of `beats` that begin a bar
 * @param positionSeconds what is heard now
 * @param horizonSeconds how far to look ahead
 * @param loop null where none is active; one that the place is beyond is not gone round
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
