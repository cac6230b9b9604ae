import { firstFrom } from '@stem-studio/dsp/time/first-from';
import type { LoopRegion } from './playback-clock.ts';

/** An event of a song, such as a beat or the start of a note, in the near future. */
export interface PlannedEvent {
  /** Index of the event. */
  readonly index: number;
  /** Time until it is audible, in seconds of the song. */
  readonly afterSeconds: number;
}

/**
 * Returns the events that a player passes next, along its loop.
 *
 * @param starts times of the events in seconds of the song, ascending
 * @param positionSeconds the audible position
 * @param horizonSeconds how far to look ahead, in seconds of the song
 * @param loop null where none is active; a loop that ends before the position is ignored
 */
export function planEvents(
  starts: readonly number[],
  positionSeconds: number,
  horizonSeconds: number,
  loop: LoopRegion | null,
): PlannedEvent[] {
  const planned: PlannedEvent[] = [];
  let from = positionSeconds;
  let passed = 0;
  while (passed < horizonSeconds) {
    const left = from + horizonSeconds - passed;
    const wraps = loop !== null && from < loop.endSeconds && loop.endSeconds <= left;
    const until = wraps ? loop.endSeconds : left;
    for (let index = firstFrom(starts, from); index < starts.length; index++) {
      const start = starts[index] ?? 0;
      if (start >= until) break;
      planned.push({ index, afterSeconds: passed + start - from });
    }
    passed += until - from;
    if (!wraps || loop.endSeconds <= loop.startSeconds) break;
    from = loop.startSeconds;
  }
  return planned;
}
