import { beatAt, secondsAtBeat } from '@stem-studio/dsp/time/beat-place';
import type { DeckTiming } from './deck-timing.ts';

/**
 * The place on the grid nearest to another: whole beats, or whole steps of a part of one. It is never before the
 * beginning nor after the end of the song; where the song has no beats it is the place itself.
 *
 * @param stepBeats 1 for beats, ½ for halves of them and so on
 */
export function quantizedSeconds(seconds: number, timing: DeckTiming, stepBeats = 1): number {
  const { beats, hasGrid, durationSeconds } = timing;
  if (!hasGrid) return clampSeconds(seconds, durationSeconds);
  const steps = Math.round(beatAt(seconds, beats) / stepBeats);
  for (const step of [steps, steps + 1, steps - 1]) {
    const place = secondsAtBeat(step * stepBeats, beats);
    if (place >= 0 && place <= durationSeconds) return place;
  }
  return clampSeconds(seconds, durationSeconds);
}

/**
 * Where a jump by beats leads: as far into its beat as before. Beyond the ends of the song it stays at them.
 *
 * @param jumpBeats negative is back
 */
export function beatJumpTarget(seconds: number, jumpBeats: number, timing: DeckTiming): number {
  const { beats, durationSeconds } = timing;
  return clampSeconds(secondsAtBeat(beatAt(seconds, beats) + jumpBeats, beats), durationSeconds);
}

/** A place kept inside of a song. */
function clampSeconds(seconds: number, durationSeconds: number): number {
  return Math.min(durationSeconds, Math.max(0, seconds));
}
