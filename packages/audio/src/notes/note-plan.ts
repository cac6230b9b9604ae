import { firstFrom } from '@stem-studio/dsp/time/first-from';
import type { LoopRegion } from '../clock/playback-clock.ts';

/** A note of a transcription. */
export interface PlayableNote {
  /** Start and end in seconds of the song. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** MIDI number, 60 for middle C. */
  readonly pitch: number;
  /** 1 to 127. */
  readonly velocity: number;
}

/** A note in the near future. */
export interface PlannedNote {
  /** Index of the note. */
  readonly index: number;
  /** Time until it is audible, in seconds of the song. */
  readonly afterSeconds: number;
}

/**
 * Returns the notes that begin next, along the loop of a player.
 *
 * @param starts starts of the notes in seconds of the song, ascending
 * @param positionSeconds the audible position
 * @param horizonSeconds how far to look ahead, in seconds of the song
 * @param loop null where none is active; a loop that ends before the position is ignored
 */
export function planNotes(
  starts: readonly number[],
  positionSeconds: number,
  horizonSeconds: number,
  loop: LoopRegion | null,
): PlannedNote[] {
  const planned: PlannedNote[] = [];
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
