import { beatAt, secondsAtBeat } from '@stem-studio/dsp/time/beat-position';
import type { DeckTiming } from './deck-timing.ts';

/**
 * Returns the nearest grid position: whole beats, or multiples of a part of a beat. The result lies within the song.
 * Without a grid it is the given position.
 *
 * @param stepBeats 1 for beats, ½ for half beats and so on
 */
export function quantizedSeconds(seconds: number, timing: DeckTiming, stepBeats = 1): number {
  const { beats, hasGrid, durationSeconds } = timing;
  if (!hasGrid) return clampSeconds(seconds, durationSeconds);
  const steps = Math.round(beatAt(seconds, beats) / stepBeats);
  for (const step of [steps, steps + 1, steps - 1]) {
    const gridSeconds = secondsAtBeat(step * stepBeats, beats);
    if (gridSeconds >= 0 && gridSeconds <= durationSeconds) return gridSeconds;
  }
  return clampSeconds(seconds, durationSeconds);
}

/**
 * Returns the target of a beat jump, at the same phase of its beat, clamped to the song.
 *
 * @param jumpBeats negative jumps back
 */
export function beatJumpTarget(seconds: number, jumpBeats: number, timing: DeckTiming): number {
  const { beats, durationSeconds } = timing;
  return clampSeconds(secondsAtBeat(beatAt(seconds, beats) + jumpBeats, beats), durationSeconds);
}

/** Clamps a position to the song. */
function clampSeconds(seconds: number, durationSeconds: number): number {
  return Math.min(durationSeconds, Math.max(0, seconds));
}
