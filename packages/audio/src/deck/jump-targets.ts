import type { DeckState } from '@stem-studio/contract/resources/deck-session';

/**
 * Returns the positions that a deck may jump to at any time, in seconds of the song, the likeliest first: start of the
 * loop, cue point, hot cues, starts of the loops of its stems.
 */
export function jumpTargets({ loop, cue_ms, hot_cues, stems }: DeckState): number[] {
  const stemLoops = stems.flatMap((stem) => (stem.loop ? [stem.loop.start_ms] : []));
  const targets = [
    ...(loop ? [loop.start_ms] : []),
    cue_ms,
    ...hot_cues.map(({ position_ms }) => position_ms),
    ...stemLoops,
  ];
  return [...new Set(targets)].map((ms) => ms / 1000);
}
