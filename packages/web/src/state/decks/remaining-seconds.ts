import type { DeckLoop, DeckState } from '@stem-studio/contract/resources/deck-session';

/** Playing time that is left of a song at its tempo, in seconds. */
export function remainingSeconds(
  durationSeconds: number,
  positionSeconds: number,
  tempoPercent: number,
): number {
  return Math.max(0, durationSeconds - positionSeconds) / (1 + tempoPercent / 100);
}

/** Remaining playing times at which a deck warns of the end of its song, in seconds. */
const endingStages = [15, 30] as const;

type EndingDeck = Pick<DeckState, 'is_playing' | 'loop' | 'duration_ms' | 'tempo_percent'>;

/** Whether an active loop keeps a deck from reaching the end of its song: the deck has not passed it. */
export function isHeldByLoop(loop: DeckLoop | null, positionSeconds: number): boolean {
  return loop?.active === true && positionSeconds * 1000 < loop.end_ms;
}

/**
 * Returns the stage of the countdown to the end of a playing deck's song, in seconds; null before it, at the end, and
 * while a loop holds the song.
 */
export function endingStage(
  { is_playing, loop, duration_ms, tempo_percent }: EndingDeck,
  positionSeconds: number,
): (typeof endingStages)[number] | null {
  if (!is_playing || isHeldByLoop(loop, positionSeconds)) return null;
  const left = remainingSeconds(duration_ms / 1000, positionSeconds, tempo_percent);
  return left > 0 ? (endingStages.find((stage) => left <= stage) ?? null) : null;
}
